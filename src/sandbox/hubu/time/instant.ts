// Instants with nanoseconds. An instant is the text `YYYY-MM-DDTHH:MM:SS.nnnnnnnnn` in UTC: it sorts as it stands, in
// memory and in SQLite, and nothing is lost on the way.
import { Refusal } from '../refusal.ts'

/** A point in time, UTC, years 0000 to 9999, to the nanosecond. */
export type Instant = string & { readonly instant: true }

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** Reads RFC 3339: any offset, a leap second is kept, digits after the ninth are cut. Throws a 400. */
export function parseInstant(text: string, field: string): Instant {
  const bad = () => new Refusal(`invalid RFC 3339 timestamp for \`${field}\``)
  const match = rfc3339.exec(text)
  if (match === null) throw bad()
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offset = (match[8] === '-' ? -1 : 1) * (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0))
  if (Number(match[9] ?? 0) > 23 || Number(match[10] ?? 0) > 59) throw bad()
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) throw bad()
  if (hour > 23 || minute > 59 || second > 60) throw bad()
  const atMinute = utcMs(year, month, day, hour, minute) - offset * 60_000
  const fraction = (match[7] ?? '').slice(0, 9).padEnd(9, '0')
  const instant = fromParts(atMinute, second, fraction)
  if (instant === undefined) throw bad()
  return instant
}

/** The instant of a Date, which has milliseconds, plus nanoseconds within that millisecond. */
export function instantOf(date: Date, nanoseconds = 0): Instant {
  const atMinute = Math.floor(date.getTime() / 60_000) * 60_000
  const ms = date.getTime() - atMinute
  const fraction = `${String(ms % 1000).padStart(3, '0')}${String(nanoseconds).padStart(6, '0')}`
  const instant = fromParts(atMinute, Math.floor(ms / 1000), fraction)
  if (instant === undefined) throw new RangeError('the clock is outside the years 0000 to 9999')
  return instant
}

/** The instant a number of seconds later. Throws a 400 beyond the year 9999. */
export function addSeconds(instant: Instant, seconds: number): Instant {
  const { atMinute, second, fraction } = partsOf(instant)
  const total = Math.min(second, 59) + seconds
  const later = fromParts(atMinute + Math.floor(total / 60) * 60_000, total - Math.floor(total / 60) * 60, fraction)
  if (later === undefined) throw new Refusal('the time lies outside the years 0000 to 9999')
  return later
}

/** The instant a number of calendar months later, the day clamped to the month's last. Throws a 400 beyond 9999. */
export function addMonths(instant: Instant, months: number): Instant {
  const total = Number(instant.slice(0, 4)) * 12 + Number(instant.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(total / 12), (total % 12) + 1]
  if (year > 9999) throw new Refusal('the time lies outside the years 0000 to 9999')
  const day = Math.min(Number(instant.slice(8, 10)), daysOfMonth(year, month))
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}${instant.slice(10)}` as Instant
}

/** How instants are written nearly everywhere: `+00:00`, with 0, 3, 6 or 9 digits. */
export function writeInstant(instant: Instant): string {
  return `${trimmed(instant)}+00:00`
}

/** How attempt history and policy history write them: `Z`. */
export function writeInstantZulu(instant: Instant): string {
  return `${trimmed(instant)}Z`
}

/** A clock for production: the system's milliseconds, told apart by counted microseconds so that no two reads are equal. */
export function systemClock(): () => Instant {
  let last = ''
  let count = 0
  return () => {
    const date = new Date()
    const ms = date.toISOString()
    count = ms === last ? Math.min(count + 1, 999) : 0
    last = ms
    return instantOf(date, count * 1000)
  }
}

function trimmed(instant: Instant): string {
  const [whole = '', fraction = ''] = instant.split('.')
  if (fraction === '000000000') return whole
  if (fraction.endsWith('000000')) return `${whole}.${fraction.slice(0, 3)}`
  return `${whole}.${fraction.endsWith('000') ? fraction.slice(0, 6) : fraction}`
}

function partsOf(instant: Instant): { atMinute: number; second: number; fraction: string } {
  const number = (start: number, end: number) => Number(instant.slice(start, end))
  const atMinute = utcMs(number(0, 4), number(5, 7), number(8, 10), number(11, 13), number(14, 16))
  return { atMinute, second: number(17, 19), fraction: instant.slice(20) }
}

function fromParts(atMinute: number, second: number, fraction: string): Instant | undefined {
  const date = new Date(atMinute)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) return undefined
  return `${date.toISOString().slice(0, 17)}${pad(second, 2)}.${fraction}` as Instant
}

/** Date.UTC takes the years 0 to 99 for 1900 to 1999. */
function utcMs(year: number, month: number, day: number, hour: number, minute: number): number {
  const date = new Date(Date.UTC(2000, 0, 1, hour, minute))
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime()
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
