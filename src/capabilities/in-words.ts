import type { States } from './availability.ts'

/** What can be called, in one sentence for the log. Pure. */
export function inWords({ hubu, gongbu, registry }: States): string {
  const words = Object.entries({ Hubu: hubu, Gongbu: gongbu, 'the registry': registry }).map(
    ([who, { state, reason_code: reason }]) => `${who} is ${state}${reason === null ? '' : ` (${reason})`}`,
  )
  return `${words.join(', ')}.`
}
