// Pure: why a server could not be connected, from a closed set of sentences. Arbitrary text of a child is never shown.
import { EntryProblem } from './expand-entry.ts'

/** What is known of a failed connection. */
export interface ConnectFailure {
  error: unknown
  /** The end of the child's stderr, if it is a child. */
  stderrTail?: string
  /** Names of variables that its entry sets: only these may be named. */
  declaredVariables?: readonly string[]
}

/** One sentence about a failed connection; holds no secret, no path and no text of the child. */
export function explainFailure({ error, stderrTail = '', declaredVariables = [] }: ConnectFailure): string {
  if (error instanceof EntryProblem) return `connect: ${error.message}`
  const { code, name, message = '' } = (error ?? {}) as { code?: unknown; name?: unknown; message?: string }
  if (code === 'ENOENT') return 'connect: its command was not found on the PATH'
  if (code === 'EACCES' || code === 'EPERM') return 'connect: its command may not be executed'
  if (name === 'TimeoutError' || /timed? ?out/i.test(message))
    return 'connect: it did not answer in time; a longer connect_timeout of this server gives it more'
  if (code === 'ECONNREFUSED' || /ECONNREFUSED|fetch failed/.test(message))
    return 'connect: nothing listens at its address'
  if (code === 401 || /\b401\b/.test(message)) return 'connect: it does not accept our credentials'
  return `connect: ${summarize(stderrTail, declaredVariables)}`
}

function summarize(tail: string, declared: readonly string[]): string {
  if (/permission denied|EACCES/i.test(tail)) return 'permission denied'
  if (/no such file|cannot find module|ENOENT|not found/i.test(tail)) return 'a file that it needs is missing'
  if (/unknown option|unrecognized (option|argument)|invalid option/i.test(tail)) return 'it rejects an option'
  if (
    /(required|missing|not set|must be set|undefined).*\b[A-Z][A-Z0-9_]{3,}\b|\b[A-Z][A-Z0-9_]{3,}\b.*(required|missing|not set|must be set|undefined)/.test(
      tail,
    )
  ) {
    const variable = declared.find((candidate) => tail.includes(candidate))
    return variable === undefined
      ? 'a required environment variable is missing'
      : `the environment variable ${variable} is missing or not accepted`
  }
  return 'it ended or broke the connection before it was ready (diagnostics suppressed)'
}
