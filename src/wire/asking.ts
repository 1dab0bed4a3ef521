// What a mounted server may ask of a client, and whether this client said that it can be asked so.
import { member } from '../json/read.ts'
import type { ClientView } from './request.ts'

/** Asks the client of one call, under this key where it is the key of somebody else; rejects with its error, or with one of these codes. */
export type AskClient = (method: string, params: object, signal: AbortSignal, key?: string) => Promise<object>

/** The part of a client's capabilities that a question needs; undefined for a question that nobody passes on. */
export function neededCapability(method: string, params: unknown): object | undefined {
  switch (method) {
    case 'elicitation/create':
      return { elicitation: member(params, 'mode') === 'url' ? { url: {} } : { form: {} } }
    case 'sampling/createMessage':
      return { sampling: {} }
    case 'roots/list':
      return { roots: {} }
    default:
      return undefined
  }
}

/** Whether the client declared what a question needs; an elicitation without modes means forms. */
export function canBeAsked({ capabilities }: ClientView, method: string, params: unknown): boolean {
  const needed = neededCapability(method, params)
  if (needed === undefined) return false
  const [name = ''] = Object.keys(needed)
  const declared = member(capabilities, name)
  if (typeof declared !== 'object' || declared === null) return false
  if (name !== 'elicitation') return true
  const mode = member(params, 'mode') === 'url' ? 'url' : 'form'
  return Object.hasOwn(declared, mode) || (mode === 'form' && !Object.hasOwn(declared, 'url'))
}

/** Everything that is passed on: what servers are told where each call has a client of its own. */
export const everyCapability: Readonly<Record<string, object>> = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
}

/** The refusal of a question that this client cannot be asked. */
export class CannotAsk extends Error {
  readonly code = -32601

  constructor() {
    super('Method not found')
  }
}

/** The client's own refusal of a request of ours, with the code and the data that it gave. */
export class ClientRefusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}
