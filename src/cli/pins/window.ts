import { parseDuration } from '../../config/durations.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The beginning of a window such as `24h`, `90m` or `7d` before `nowMs`; undefined for anything else. */
export function windowStart(window: string, nowMs: number): number | undefined {
  const text = window.trim()
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const lengthMs = days === undefined ? parseDuration(text) : Number(days) * dayMs
  return lengthMs === undefined ? undefined : nowMs - lengthMs
}
