/** One figure beside its floor, measured in the same run. */
export interface BenchRow {
  name: string
  /** Median of what was measured, and of the floor it is compared with. */
  value: number
  floor: number
  unit: 'errors' | 'ms' | 'KiB' | 'per second' | 'MiB' | 'MiB/s' | '% of a core'
  /** What the ratio or the figure must keep, in words and as a judgement. */
  target: string
  ratio: number
  isMet: boolean
  /** How far the rounds of this run lay apart, as a part of the ratio, where it was compared with an earlier build. */
  spread?: number
}

/** The median of some samples. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** A row whose figure divided by its floor must stay at or below a bound. */
export function atMost(bound: number, row: Omit<BenchRow, 'ratio' | 'isMet' | 'target'>, what = 'the floor'): BenchRow {
  const ratio = row.value / row.floor
  return { ...row, ratio, target: `at most ${bound} x ${what}`, isMet: ratio <= bound }
}

/** A row whose figure divided by its floor must reach a bound. */
export function atLeast(
  bound: number,
  row: Omit<BenchRow, 'ratio' | 'isMet' | 'target'>,
  what = 'the floor',
): BenchRow {
  const ratio = row.value / row.floor
  return { ...row, ratio, target: `at least ${bound} x ${what}`, isMet: ratio >= bound }
}

/**
 * A row of rounds that were measured in turn before and after: missed when the median of their ratios is above the bound by more
 * than the spread, which is the range that holds the middle half of the ratios.
 */
export function notWorse(bound: number, name: string, before: readonly number[], after: readonly number[]): BenchRow {
  const ratios = after.map((value, round) => value / (before[round] ?? Number.NaN)).sort((a, b) => a - b)
  const at = (part: number) => ratios[Math.floor(ratios.length * part)] ?? Number.NaN
  const [ratio, spread] = [at(0.5), at(0.75) - at(0.25)]
  return {
    ...{ name, value: median(after), floor: median(before), unit: 'ms', ratio, spread },
    target: `at most ${bound} x before`,
    isMet: ratio - spread <= bound,
  }
}

/** How long work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
