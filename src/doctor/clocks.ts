import { failure, ok, warning, type Finding } from './finding.ts'

/** Whether the clock went back behind what the registry has already seen: expiries and deadlines would be judged wrongly. */
export function checkClock(now: Date, newestStored: string | null): Finding {
  if (newestStored !== null && Date.parse(newestStored) - now.getTime() > 60_000) {
    return warning(
      'clock',
      'the registry holds times that lie in the future',
      'Correct the system clock; it decides when authorizations expire.',
    )
  }
  return ok('clock', now.toISOString())
}

/** So far off, a purchase may be judged as over before it is, or after. */
const warnMs = 30_000
const failMs = 5 * 60_000

/** Holds our clock against what a backend says in its answers. `aheadMs`: how far ours is ahead of it. */
export function compareClocks(backend: 'hubu' | 'gongbu', aheadMs: number): Finding {
  const check = `${backend} clock`
  const off = Math.abs(aheadMs)
  if (off <= warnMs) return ok(check, 'says the same as ours')
  const message = `this machine is ${inWords(off)} ${aheadMs > 0 ? 'ahead of' : 'behind'} it`
  const remedy =
    'Set the clock that is wrong. What the wall clock would end is kept until both agree, and what a backend ends by its own clock is over.'
  return off > failMs ? failure(check, message, remedy) : warning(check, message, remedy)
}

function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}
