import { beginning } from '../json/pieces.ts'

/** A reason fits into this; what is longer is a dump, and fills the context of the agent that gets it. */
const longestReason = 2000

/**
 * The beginning of another program's error text, with its length where something is left out. To be called when nothing secret
 * is in it any more: half a secret would not be found.
 */
export function boundedReason(text: string): string {
  if (text.length <= longestReason) return text
  return `${beginning(text, longestReason)} … (the first ${longestReason} of ${text.length} characters)`
}
