// Charts, loaded when one is shown.
import uPlot from 'uplot'

/** Times in seconds, and a line of values for each name. */
export interface ChartData {
  times: number[]
  lines: { name: string; values: (number | null)[] }[]
}

const colours = ['#2a7f78', '#b4602d', '#5a6fc0', '#8a5aa8', '#6b8e23', '#c0567b', '#8c7326', '#4a7a9c', '#777777']

/** Draws into an element; the result takes it away. */
export function draw(place: HTMLElement, { times, lines }: ChartData): () => void {
  const ink = getComputedStyle(place).color
  const axis = { stroke: ink, grid: { stroke: `color-mix(in srgb, ${ink} 15%, transparent)` } }
  const width = () => Math.max(200, place.clientWidth)
  const chart = new uPlot(
    {
      width: width(),
      height: 200,
      axes: [axis, { ...axis, size: 60 }],
      series: [
        {},
        ...lines.map(({ name }, at) => ({
          label: name,
          stroke: colours[at % colours.length]!,
          width: 2,
          dash: at % 3 === 0 ? [] : at % 3 === 1 ? [8, 4] : [2, 4],
          points: { show: times.length < 60 },
        })),
      ],
    },
    [times, ...lines.map(({ values }) => values)],
    place,
  )
  const fit = new ResizeObserver(() => chart.setSize({ width: width(), height: 200 }))
  fit.observe(place)
  return () => {
    fit.disconnect()
    chart.destroy()
  }
}
