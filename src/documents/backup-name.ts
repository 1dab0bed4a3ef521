// Where the old bytes of a file are kept.
import { lstatSync } from 'node:fs'

/** `<path>.bak-<YYYYMMDD-HHMMSS>` in UTC, with `-1`, `-2` … when that name is taken. */
export function backupName(path: string, now: Date): string {
  const [day, time] = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T')
  const base = `${path}.bak-${day}-${time}`
  for (let attempt = 0; ; attempt++) {
    const name = attempt === 0 ? base : `${base}-${attempt}`
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name
  }
}
