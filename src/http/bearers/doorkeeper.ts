// Says who calls, from the bearer alone.
import type { AuthSettings, JwtSettings } from '../../config/http-settings.ts'
import type { Clock } from '../../timing/clock.ts'
import type { AuthFailure } from './bearer.ts'
import type { JudgeJwt } from './jwt.ts'
import { RecentValues } from './recent-values.ts'
import { allRights, withIncluded } from './rights.ts'
import { hashOf, isTokenOver, type TokenEntry } from './token-list.ts'
import type { Right } from '../../wire/request.ts'

/** Who calls. */
export interface Bearer {
  readonly principal: string
  readonly rights: ReadonlySet<Right>
  /** An entry of `agents:`, the whole scope; absent: everything. */
  readonly agent?: string
  /** Of the token: what an open stream is held against while it lasts. */
  readonly hash: string
  /** May read the metrics. */
  readonly isOperator: boolean
}

/** What came of a bearer. `later`: nobody can say now. */
export type Admission = { kind: 'known'; bearer: Bearer } | { kind: 'unknown'; reason: AuthFailure } | { kind: 'later' }

/** Who may call, and how that changes. */
export interface Doorkeeper {
  admit(token: string): Admission | Promise<Admission>
  /** Whether a token that was good is still: removed and expired ones are not. */
  isStillGood(bearer: Bearer): boolean
  /** Other tokens count from now on. What an issuer signs is judged as before. */
  apply(door: Door): void
}

/** Who is let in: the holder of the start token, or those whom the configuration names. */
export interface Door {
  startToken: string | undefined
  tokens: readonly TokenEntry[]
  auth: AuthSettings | undefined
}

export interface DoorkeeperOptions {
  door: Door
  clock: Pick<Clock, 'nowMs'>
  /** Made at first need; a library is loaded for it. */
  openJwt(settings: JwtSettings): Promise<JudgeJwt>
}

const refusedForMs = 10_000
const mostGood = 10_000
const mostRefused = 1000

export function createDoorkeeper(options: DoorkeeperOptions): Doorkeeper {
  const { clock } = options
  const good = new RecentValues<Bearer>(mostGood)
  const refused = new RecentValues<AuthFailure>(mostRefused)
  let door = indexed(options.door)
  let judge: Promise<JudgeJwt> | undefined

  /** Tokens of our own form are looked up in the list and nowhere else. */
  function find(hash: string): Admission {
    const { start, entries } = door
    if (start !== undefined && hash === start) return { kind: 'known', bearer: { ...starter, hash } }
    const entry = entries.get(hash)
    if (entry === undefined) return { kind: 'unknown', reason: 'unknown' }
    if (isTokenOver(entry, clock.nowMs())) return { kind: 'unknown', reason: 'expired' }
    return { kind: 'known', bearer: bearerOf(entry) }
  }

  async function judged(token: string, hash: string, settings: JwtSettings): Promise<Admission> {
    const verdict = await (await (judge ??= options.openJwt(settings)))(token)
    if (verdict.kind === 'unknown') return { kind: 'later' }
    if (verdict.kind === 'refused') {
      refused.keep(hash, verdict.reason, clock.nowMs() + refusedForMs)
      return { kind: 'unknown', reason: verdict.reason }
    }
    const { principal, rights, agent, untilMs } = verdict
    const isOperator = rights.has('protected')
    const bearer = { principal, rights, ...(agent !== undefined && { agent }), hash, isOperator }
    good.keep(hash, bearer, untilMs)
    return { kind: 'known', bearer }
  }

  return {
    admit(token) {
      const hash = hashOf(token)
      const jwt = door.auth?.jwt
      if (jwt === undefined || token.startsWith('hubu_')) return find(hash)
      const known = good.get(hash, clock.nowMs())
      if (known !== undefined) return { kind: 'known', bearer: known }
      const reason = refused.get(hash, clock.nowMs())
      return reason === undefined ? judged(token, hash, jwt) : { kind: 'unknown', reason }
    },
    isStillGood({ hash, principal }) {
      if (!principal.startsWith('jwt:')) return find(hash).kind === 'known'
      return door.auth?.jwt !== undefined && good.get(hash, clock.nowMs()) !== undefined
    },
    apply(next) {
      door = indexed(next)
    },
  }
}

const starter = { principal: 'local', rights: withIncluded(allRights), isOperator: true }

interface IndexedDoor extends Pick<Door, 'auth'> {
  start: string | undefined
  entries: ReadonlyMap<string, TokenEntry>
}

function indexed({ startToken, tokens, auth }: Door): IndexedDoor {
  return {
    auth,
    start: startToken === undefined ? undefined : hashOf(startToken),
    entries: new Map(tokens.map((entry) => [entry.sha256, entry])),
  }
}

function bearerOf({ principal, rights, agent, sha256, label }: TokenEntry): Bearer {
  return {
    principal: `token:${principal}`,
    rights: withIncluded(rights),
    ...(agent !== undefined && { agent }),
    hash: sha256,
    isOperator: rights.includes('protected') || label === 'metrics',
  }
}
