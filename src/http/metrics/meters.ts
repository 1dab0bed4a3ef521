// What is counted, whoever counts it. No label carries anything that a caller chose.
import type { AuthFailure } from '../bearers/bearer.ts'
import type { QuestionEnd } from '../sessions/questions.ts'
import type { RefusalReason } from '../front/refusal.ts'

/** One answered request. */
export interface CountedRequest {
  era: 'legacy' | 'modern'
  method: string
  status: number
  seconds: number
}

/** Where numbers go. */
export interface Meters {
  answered(request: CountedRequest): void
  refused(reason: RefusalReason): void
  authFailed(reason: AuthFailure): void
  questionEnded(end: QuestionEnd): void
  /** The text of all of them. */
  read(): Promise<string>
}

/** Where nobody asks for numbers. */
export const noMeters: Meters = {
  answered: () => {},
  refused: () => {},
  authFailed: () => {},
  questionEnded: () => {},
  read: () => Promise.resolve(''),
}

const methods = new Set([
  ...['server/discover', 'tools/list', 'tools/call', 'completion/complete', 'subscriptions/listen', 'resources/list'],
  ...['resources/templates/list', 'resources/read', 'prompts/list', 'prompts/get', 'initialize', 'ping'],
  ...['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'],
])

/** A method by its name, when it is one that everybody knows. */
export const methodLabel = (method: string): string => (methods.has(method) ? method : 'other')
