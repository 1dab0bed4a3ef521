// Puts the edge together: who is let in, what is answered, and what is held open.
import { randomBytes } from 'node:crypto'
import { createAnswerWatch } from '../calls/answer-watch.ts'
import { writeAddress } from '../config/addresses.ts'
import type { AuthSettings, HttpSettings } from '../config/http-settings.ts'
import type { Config } from '../config/load-config.ts'
import type { Log } from '../redaction/log.ts'
import { randomHex, type ServedRooms } from '../serve-rooms.ts'
import { realClock as clock } from '../timing/clock.ts'
import { createCore } from '../wire/core.ts'
import { StreamPlaces } from '../wire/stream-places.ts'
import { createAnswerRequest } from './answer-request.ts'
import { createChallenge } from './bearers/bearer.ts'
import { createDoorkeeper, type Door } from './bearers/doorkeeper.ts'
import { scopeOf } from './bearers/rights.ts'
import { createEdge, type EdgeOptions } from './edge.ts'
import { frontRules, metadataRoot } from './front/rules.ts'
import type { AnswerExchange } from './front/exchange.ts'
import { createAnswerLegacy } from './legacy/answer.ts'
import { Places } from './limits.ts'
import { createAnswerMessage } from './message.ts'
import type { Meters } from './metrics/meters.ts'
import { createAnswerModern } from './modern.ts'
import { createObserver, type Observer } from './observe.ts'
import { createConnectionAnswers } from './connection-answers.ts'
import { createOpenStreams, type OpenStreams } from './open-streams.ts'
import { createAnswerPost } from './post.ts'
import { createSessionStreams } from './sessions/get-stream.ts'
import { revisionsOf } from './sessions/list-revisions.ts'
import { Notes } from './sessions/notes.ts'
import { SessionQuestions } from './sessions/questions.ts'
import { createSessionKey } from './sessions/session-key.ts'
import { createSessions } from './sessions/sessions.ts'

/** What the edge stands before. */
export interface OpenEdgeOptions {
  config: Config
  settings: HttpSettings
  auth: AuthSettings | undefined
  /** What replicas without a registry share. */
  sharedKey: Buffer | undefined
  door: Door
  rooms: ServedRooms
  readiness: EdgeOptions['readiness']
  isRefusing(): boolean
  /** Made with what is to be looked at. */
  makeMeters(looks: { inFlight(): number; held(): number }): Promise<Meters>
  report(fault: unknown): void
  log: Log
}

/** The edge, and what its life needs of it. */
export interface OpenedEdge {
  answer: AnswerExchange
  doorkeeper: ReturnType<typeof createDoorkeeper>
  places: Places
  streams: OpenStreams
  questions: SessionQuestions
  observer: Observer
  meters: Meters
  /** No request will come any more. */
  end(): void
}

const mostInFlight = 1024

export async function openEdge(options: OpenEdgeOptions): Promise<OpenedEdge> {
  const { config, settings, auth, door, rooms, report, log } = options
  const handlers = rooms.router.then((router) => router.handlers)
  const news = async () => (await handlers).news
  const heldPlaces = new StreamPlaces(settings.maxSubscriptions)
  const { serverInfo, discover } = rooms
  const core = createCore({ handlers, serverInfo, discover, places: heldPlaces, report, clock })
  const doorkeeper = createDoorkeeper({
    door,
    clock,
    openJwt: async (jwt) => (await import('./bearers/jwt.ts')).createJudgeJwt({ settings: jwt, fetch, clock }),
  })
  const places = new Places(settings.maxInFlight, mostInFlight)
  const streams = createOpenStreams(doorkeeper, clock)
  const meters = await options.makeMeters({ inFlight: () => places.count, held: () => streams.count })
  const observer = createObserver({ log, meters, clock, nameRequest: () => randomBytes(4).toString('hex') })
  const challenge = createChallenge(auth?.jwt && metadataUrlOf(settings))
  const { refused: onRefused } = observer
  const notes = new Notes(clock)
  const questions = new SessionQuestions({
    timeoutMs: settings.questionTimeoutMs,
    clock,
    onEnded: observer.questionEnded,
  })
  const key = createSessionKey({
    statePath: config.statePath || undefined,
    isRegistryOpen: () => rooms.state.registry() !== null,
    sharedKey: options.sharedKey,
    randomHex,
  })
  // The file is there before a process that is not ready could be asked for it.
  handlers.then(key, () => {})
  const sessions = createSessions({
    key,
    randomBytes,
    clock,
    lists: async (caller) => revisionsOf(await news(), caller),
    onRefused: observer.sessionRefused,
  })
  const answersOf = createConnectionAnswers(() => createAnswerWatch(() => rooms.state.deliveries(), randomHex()))
  const answerRequest = createAnswerRequest({
    ...{ core, challenge, streams, answersOf, clock, onRefused },
    onAnswered: observer.answered,
  })
  const sessionStreams = createSessionStreams({ sessions, notes, questions, streams, places: heldPlaces, news })
  const answerMessage = createAnswerMessage({
    answerLegacy: createAnswerLegacy({ answerRequest, sessions, notes, questions }),
    answerModern: createAnswerModern({ answerRequest, onRefused }),
  })
  const answer = createEdge({
    ...options,
    front: frontRules(settings, auth?.jwt !== undefined),
    doorkeeper,
    servesAgent: async (name) => (await rooms.router).gateway?.servesAgent(name) === true,
    places,
    challenge,
    metadata: () => metadataOf(settings, auth),
    metrics: () => meters.read(),
    answerPost: createAnswerPost({ settings, clock, answerMessage, onRefused }),
    answerGet: sessionStreams.get,
    answerDelete: sessionStreams.delete,
    onRefused,
    onAuthFailed: observer.authFailed,
  })
  return { answer, doorkeeper, places, streams, questions, observer, meters, end: () => core.end() }
}

/** Where clients reach the endpoint. Never taken from a request. */
export function publicUrlOf({ publicUrl, listen, path, tls }: HttpSettings): string {
  return publicUrl ?? `${tls ? 'https' : 'http'}://${writeAddress(listen)}${path}`
}

function metadataUrlOf(settings: HttpSettings): string {
  return `${new URL(publicUrlOf(settings)).origin}${metadataRoot}${settings.path}`
}

function metadataOf(settings: HttpSettings, auth: AuthSettings | undefined): object {
  return {
    resource: publicUrlOf(settings),
    authorization_servers: auth?.jwt ? [auth.jwt.issuer] : [],
    scopes_supported: [scopeOf('read'), scopeOf('spend')],
    bearer_methods_supported: ['header'],
    resource_name: 'Hubu and Gongbu',
  }
}
