// Pure but for a look at the command: why a server could not be connected, from a closed set of sentences.
import { TakenName } from './bare-names.ts'
import { BrokenForm } from './broken-form.ts'
import { EntryProblem } from './expand-entry.ts'
import { UnreadableTools } from './offer.ts'
import { NoRevision } from './modern-server.ts'
import { lastWordsReason } from './reasons/last-words.ts'
import { answerReason, networkReason, type LastAnswer } from './reasons/network.ts'
import { notFoundReason, type StartPlace } from './reasons/start.ts'

/** What is known of a failed connection. */
export interface ConnectFailure {
  error: unknown
  /** The end of the child's stderr, if it is a child. */
  stderrTail?: string
  /** Names of variables that its entry sets: only these may be named. */
  declaredVariables?: readonly string[]
  /** What was to be started, if it is a child. */
  place?: StartPlace
  /** What a remote server answered last, if it answered. */
  lastAnswer?: LastAnswer
}

/** One sentence about a failed connection; holds no secret, no path and no text of the child but names. */
export function explainFailure(failure: ConnectFailure): string {
  return `connect: ${failure.error instanceof EntryProblem ? failure.error.message : reasonOf(failure)}`
}

function reasonOf({ error, stderrTail = '', declaredVariables = [], place, lastAnswer }: ConnectFailure): string {
  const { code, name, message = '' } = (error ?? {}) as { code?: unknown; name?: unknown; message?: string }
  if (error instanceof BrokenForm || error instanceof TakenName || error instanceof NoRevision) return message
  if (place !== undefined && code === 'ENOENT') return notFoundReason(place)
  if (place !== undefined && (code === 'EACCES' || code === 'EPERM')) return 'its command may not be executed'
  if (error instanceof UnreadableTools && error.code !== undefined)
    return `it answers, but not when its tools are asked for (error ${error.code})`
  if (/protocol version/i.test(message)) return 'it speaks a version of MCP that is not known here'
  const known = networkReason(error) ?? (lastAnswer && answerReason(lastAnswer))
  if (known !== undefined) return known
  const more = place === undefined || stderrTail.trim() === '' ? '' : '; `servers --verbose` shows what it wrote last'
  // What a server wrote that still runs is no reason why it would have ended.
  if (name === 'TimeoutError' || /timed? ?out/i.test(message))
    return `it did not answer in time; a longer connect_timeout of this server gives it more${more}`
  const lastWords = lastWordsReason(stderrTail, declaredVariables)
  if (lastWords !== undefined) return lastWords
  return `it ended or broke the connection before it was ready${more}`
}
