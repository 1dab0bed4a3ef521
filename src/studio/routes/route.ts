// What a route is: an address, how it is asked, and what answers.
import type { ServerResponse } from 'node:http'
import type { BodyMembers } from '../http/body.ts'
import type { QueryRules } from '../http/query.ts'
import type { StudioSession } from '../session/sessions.ts'
import type { StudioRooms } from './rooms.ts'

/** One call, let in and read. */
export interface StudioCall {
  rooms: StudioRooms
  /** The parts of the path that the pattern names, in their order. */
  ids: string[]
  query: Record<string, unknown>
  body: Record<string, unknown>
  /** Of the routes behind the session. */
  session: StudioSession
  response: ServerResponse
  header(name: string): string | undefined
}

/** What is answered: JSON, nothing (204), or what the route has written itself. */
export type StudioAnswer =
  | { kind: 'json'; value: unknown; status?: number; headers?: Record<string, string> }
  | { kind: 'nothing' }
  | { kind: 'written' }

/** One row of the table of routes. */
export interface StudioRoute {
  method: 'GET' | 'POST'
  pattern: RegExp
  /** Only the unlocking is before the session. */
  isPublic?: boolean
  query?: QueryRules
  body?: BodyMembers
  /** Throws StudioError. */
  answer(call: StudioCall): StudioAnswer | Promise<StudioAnswer>
}

/** A value as the answer. */
export const json = (value: unknown): StudioAnswer => ({ kind: 'json', value })
export const nothing: StudioAnswer = { kind: 'nothing' }
export const written: StudioAnswer = { kind: 'written' }

/** A row of the table. */
export const get = (path: string, answer: StudioRoute['answer'], query: QueryRules = {}): StudioRoute => ({
  method: 'GET',
  pattern: patternOf(path),
  query,
  answer,
})

export const post = (path: string, answer: StudioRoute['answer'], body: BodyMembers = {}): StudioRoute => ({
  method: 'POST',
  pattern: patternOf(path),
  body,
  answer,
})

const forms: Readonly<Record<string, string>> = {
  APPROVAL: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  DIGITS: '[0-9a-f]{32}',
  CALL: '[0-9a-f]{32}',
  NAME: '[a-z0-9][a-z0-9_-]{0,63}',
  NUMBER: '[1-9][0-9]{0,5}',
}

/** `/api/results/CALL/files/NUMBER`: words in capitals stand for ids of their form. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[A-Z]{4,}/g, (word) => `(${forms[word]!})`)}$`)
}
