// Times as a person reads them beside others: how long ago, or how long from now. Pure.

/** Seconds, minutes, hours or days, whole ones; what is below zero counts as nothing. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  const hours = Math.floor(seconds / 3600)
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`
}

/** `3m ago` or `in 5s` for a time in ISO 8601; `-` for none. */
export function fromNow(time: string | null, nowMs: number): string {
  if (time === null) return '-'
  const ms = Date.parse(time) - nowMs
  return ms > 0 ? `in ${age(ms)}` : `${age(-ms)} ago`
}
