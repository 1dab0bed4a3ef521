// Begins and opens sessions: the values that their ids hold, and the key that seals them.
import { isObject, member } from '../../json/read.ts'
import type { Clock } from '../../timing/clock.ts'
import type { Caller } from '../../wire/request.ts'
import { comeLater, refusal, type EdgeRefusal } from '../front/refusal.ts'
import { unsealSession, reducedCapabilities, sealSession, type Session, type SessionRefusal } from './session-id.ts'

/** Where keys, time and lists come from. */
export interface SessionsOptions {
  /** Undefined while it is not known. */
  key(): Buffer | undefined
  randomBytes(count: number): Buffer
  clock: Pick<Clock, 'nowMs'>
  /** How the lists look to a caller now. */
  lists(caller: Caller): Promise<Session['lists']>
  onRefused(reason: SessionRefusal): void
}

/** The sessions of this process and of every other one with the same key. */
export interface Sessions {
  /** The id for a client that was answered; undefined while there is no key. */
  begin(begun: { params: unknown; resultJson: string; caller: Caller }): Promise<string | undefined>
  /** What the header names: a session of this principal, or why there is none. */
  open(lines: readonly string[], principal: string): Session | 'closed' | 'unknown_key'
}

/** What is answered to a session id that does not open. */
export function refuseSession(why: 'closed' | 'unknown_key'): EdgeRefusal {
  return why === 'closed' ? refusal(404, 'session_unknown') : comeLater(503, 'registry', 1)
}

export function createSessions({ key, randomBytes, clock, lists, onRefused }: SessionsOptions): Sessions {
  const now = () => Math.floor(clock.nowMs() / 1000)
  return {
    async begin({ params, resultJson, caller }) {
      const secret = key()
      if (secret === undefined) return undefined
      const revision = member(JSON.parse(resultJson), 'protocolVersion')
      const { capabilities, clientInfo } = isObject(params) ? params : {}
      const name = member(clientInfo, 'name')
      const session: Session = {
        revision: String(revision),
        capabilities: reducedCapabilities(capabilities),
        clientName: typeof name === 'string' ? name : '',
        principal: caller.principal,
        issuedAt: now(),
        lists: await lists(caller),
      }
      return sealSession(session, secret, randomBytes(12))
    },
    open(lines, principal) {
      const secret = key()
      if (secret === undefined) return 'unknown_key'
      const opened = lines.length === 1 ? unsealSession(lines[0]!, { key: secret, principal, now: now() }) : 'damaged'
      if (typeof opened !== 'string') return opened
      onRefused(opened)
      return 'closed'
    },
  }
}
