/** An instant as the registry stores it: RFC 3339 UTC with milliseconds, so that text order is time order. */
export function toStored(instant: Date): string {
  return instant.toISOString()
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** When something ends whose expiry a backend wrote, in milliseconds since 1970; undefined when it cannot be read. */
export function readExpiry(expiry: string): number | undefined {
  const instant = rfc3339.test(expiry) ? Date.parse(expiry.replace(' ', 'T').toUpperCase()) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

/** Whether such an expiry is over, or cannot be read, which counts as over. */
export function isExpired(expiry: string, now: Date): boolean {
  const instant = readExpiry(expiry)
  return instant === undefined || instant <= now.getTime()
}

/** A later instant. */
export function plusMs(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}
