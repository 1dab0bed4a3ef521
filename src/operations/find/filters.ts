// Pure: amounts and times as people type them.

/** Whole cents, both ends included. */
export interface Cents {
  from: number
  to: number
}

/** `12.50`, `12` or `12..13.50`, in dollars; undefined for anything else, more than two decimals among it. */
export function parseAmount(text: string): Cents | undefined {
  return range(text, (part) => {
    const [, whole, , decimals = ''] = /^(\d{1,13})(\.(\d{1,2}))?$/.exec(part) ?? []
    return whole === undefined ? undefined : Number(`${whole}${decimals.padEnd(2, '0')}`)
  })
}

/** `1250` or `1200..1300`, in cents; undefined for anything else. */
export function parseCents(text: string): Cents | undefined {
  return range(text, (part) => (/^\d{1,15}$/.test(part) ? Number(part) : undefined))
}

function range(text: string, parse: (part: string) => number | undefined): Cents | undefined {
  const [first = '', second = first, ...rest] = text.split('..')
  const [from, to] = [parse(first), parse(second)]
  return from === undefined || to === undefined || to < from || rest.length > 0 ? undefined : { from, to }
}

const unitsMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const dateOnly = /^(\d{4})-(\d\d)-(\d\d)$/
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i

/** An instant, a date (its midnight here), or how long ago: `90m`, `2h`, `30d`; undefined for anything else. */
export function parseInstant(text: string, now: Date): Date | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return new Date(now.getTime() - Number(count) * unitsMs[unit as keyof typeof unitsMs])
  const [, year, month, day] = dateOnly.exec(text) ?? []
  if (year !== undefined) {
    const midnight = new Date(Number(year), Number(month) - 1, Number(day))
    // 2026-02-30 is no date, and not the second of March.
    return midnight.getDate() === Number(day) && midnight.getMonth() === Number(month) - 1 ? midnight : undefined
  }
  const instant = rfc3339.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instant) ? undefined : new Date(instant)
}
