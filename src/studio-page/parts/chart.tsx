// A chart beside its table. Where it cannot be drawn the table says the same.
import { useEffect, useRef } from 'preact/hooks'
import type { ChartData, draw } from '../charts.ts'

export function Chart({ data, label }: { data: ChartData; label: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let remove = () => {}
    let isGone = false
    void (async () => {
      try {
        const charts = (await import(document.body.dataset.charts!)) as { draw: typeof draw }
        if (!isGone && place.current !== null) remove = charts.draw(place.current, data)
      } catch {
        // The table stays.
      }
    })()
    return () => {
      isGone = true
      remove()
    }
  }, [JSON.stringify(data)])
  return <div class="chart" ref={place} role="img" aria-label={label} />
}
