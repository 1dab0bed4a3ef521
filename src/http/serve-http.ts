// Serves MCP over HTTP from the first connection to the last answer. Opens the rooms and builds the edge before them.
import { randomBytes } from 'node:crypto'
import type { BuildStamp } from '../capabilities/compatibility.ts'
import { isLoopback, writeAddress } from '../config/addresses.ts'
import type { AuthSettings, HttpSettings } from '../config/http-settings.ts'
import type { Config } from '../config/load-config.ts'
import type { Log } from '../redaction/log.ts'
import { openRooms, randomHex } from '../serve-rooms.ts'
import { realClock as clock } from '../timing/clock.ts'
import { createCore } from '../wire/core.ts'
import { createDoorkeeper } from './bearers/doorkeeper.ts'
import { followTokens, openDoor } from './door.ts'
import { drain } from './drain.ts'
import { createEdge } from './edge.ts'
import { createListener } from './front/listen.ts'
import { frontRules } from './front/rules.ts'
import { createAnswerLegacy } from './legacy/answer.ts'
import { Places } from './limits.ts'
import { listRevisions } from './lists.ts'
import { createAnswerMessage } from './message.ts'
import { createAnswerPost } from './post.ts'
import { refusal } from './front/refusal.ts'
import { createSessionKey } from './sessions/session-key.ts'
import { createSessions } from './sessions/sessions.ts'

/** A served router's configuration, and the process around it. */
export interface ServeHttpOptions {
  config: Config
  settings: HttpSettings
  auth: AuthSettings | undefined
  startTokenFile: string
  newToken: boolean
  stamp: BuildStamp
  serverName?: string
  signals: {
    on(signal: NodeJS.Signals, listener: () => void): unknown
    off(signal: NodeJS.Signals, listener: () => void): unknown
  }
  exitNow(): void
  /** Said once, whatever is logged. */
  tellListening(told: { event: 'listening'; url: string; token_file?: string }): void
  report(fault: unknown): void
  log: Log
}

const mostInFlight = 1024
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Serves until a signal comes, then drains. Rejects when the address cannot be had. */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  const { config, settings, log, report } = options
  const door = openDoor({ ...options, randomBytes })
  const state = { readiness: 'starting' as 'starting' | 'ready' | 'draining', isRefusing: false }
  const rooms = openRooms({
    ...options,
    toClient: { ask: () => Promise.reject(new Error('no client can be asked now')), tell: () => false },
    listChanged: { owe: () => {} },
  })
  const core = createCore({
    handlers: rooms.router.then(({ handlers }) => handlers),
    serverInfo: rooms.serverInfo,
    discover: () => rooms.discover(),
    report,
    clock,
  })
  const doorkeeper = createDoorkeeper({
    door,
    clock,
    openJwt: async (jwt) => (await import('./bearers/jwt.ts')).createJudgeJwt({ settings: jwt, fetch, clock }),
  })
  const places = new Places(settings.maxInFlight, mostInFlight)
  const sessions = createSessions({
    key: createSessionKey({
      statePath: config.statePath,
      isRegistryOpen: () => rooms.state.registry() !== null,
      sharedKey: undefined,
      randomHex,
    }),
    randomBytes,
    clock,
    lists: (caller) => listRevisions(core, caller),
    onRefused: (reason) => log.event('info', 'session_refused', { reason }),
  })
  const onRefused = ({ reason }: { reason?: string }) => reason && log.event('info', 'http_refused', { reason })
  const answerLegacy = createAnswerLegacy({ core, sessions, clock, onAnswered: () => {} })
  const answerPost = createAnswerPost({
    settings,
    clock,
    answerMessage: createAnswerMessage({ answerLegacy }),
    onRefused,
  })
  const rules = { clock, isDraining: () => state.isRefusing }
  const edge = createEdge({
    settings,
    front: frontRules(settings, false),
    doorkeeper,
    places,
    readiness: () => state.readiness,
    isRefusing: () => state.isRefusing,
    metadataUrl: undefined,
    metadata: () => ({}),
    metrics: () => Promise.resolve(''),
    answerPost,
    answerGet: (exchange) => exchange.refuse(refusal(405, 'method_not_allowed', { headers: { Allow: 'POST' } })),
    answerDelete: (exchange) => exchange.answer.whole(204, ''),
    onRefused,
    onAuthFailed: (reason) => log.event('warn', 'auth_failed', { reason }),
    report,
  })
  const listener = createListener({
    settings,
    rules,
    tls: undefined,
    answer: edge,
    onUnreadable: () => onRefused({ reason: 'framing' }),
  })
  const endFollowing = followTokens(door, doorkeeper, { log, clock })
  const ended = untilSignal(options)
  try {
    const port = await listener.listen(settings.listen)
    const url = `http://${writeAddress({ ...settings.listen, port })}${settings.path}`
    if (!isLoopback(settings.listen.host)) log.event('warn', 'plain_http')
    options.tellListening({ event: 'listening', url, ...(door.startToken && { token_file: options.startTokenFile }) })
    const { handlers, gateway } = await rooms.router
    gateway?.start()
    void handlers.initialized()
    state.readiness = 'ready'
    await ended
    state.readiness = 'draining'
    log.event('info', 'draining', { in_flight: places.count })
    const { cut } = await drain({
      ...settings,
      clock,
      refuse: () => {
        state.isRefusing = true
        listener.stopListening()
      },
      inFlight: () => places.count,
      onEnded: (look) => clock.every(50, look),
    })
    listener.cutAll()
    log.event('info', 'drained', { in_flight: 0, cut })
  } finally {
    endFollowing()
    await rooms.end()
  }
}

/** The first signal; at the second one the process exits. */
function untilSignal({ signals, exitNow }: ServeHttpOptions): Promise<void> {
  return new Promise((resolve) => {
    let count = 0
    const onSignal = () => {
      if (++count > 1) exitNow()
      else resolve()
    }
    for (const signal of endSignals) signals.on(signal, onSignal)
  })
}
