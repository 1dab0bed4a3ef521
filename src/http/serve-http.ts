// Serves MCP over HTTP from the first connection to the last answer.
import { randomBytes } from 'node:crypto'
import type { BuildStamp } from '../capabilities/compatibility.ts'
import { isLoopback, writeAddress } from '../config/addresses.ts'
import type { AuthSettings, HttpSettings } from '../config/http-settings.ts'
import type { Config } from '../config/load-config.ts'
import type { Log } from '../redaction/log.ts'
import { openRooms, type ServedRooms } from '../serve-rooms.ts'
import { readHexSecret } from '../storage/hex-secret.ts'
import { realClock as clock } from '../timing/clock.ts'
import { CannotAsk } from '../wire/asking.ts'
import { TokenFileRefused } from './bearers/start-token.ts'
import { followTokens, openDoor } from './door.ts'
import { drain } from './drain.ts'
import { createListener, type Listener } from './front/listen.ts'
import { noMeters } from './metrics/meters.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { openEdge, type OpenEdgeOptions, type OpenedEdge } from './open-edge.ts'
import { followTls, loadTls } from './tls.ts'

/** A served router's configuration, and the process around it. */
export interface ServeHttpOptions {
  config: Config
  settings: HttpSettings
  auth: AuthSettings | undefined
  startTokenFile: string
  newToken: boolean
  stamp: BuildStamp
  serverName?: string
  signals: { on(signal: NodeJS.Signals, listener: () => void): unknown }
  exitNow(): void
  /** Said once, whatever is logged. */
  tellListening(told: { event: 'listening'; url: string; token_file?: string }): void
  report(fault: unknown): void
  log: Log
}

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** How often it is looked whether everything under way is over. */
const lookMs = 50

/** Serves until a signal comes, then drains. Rejects when the address or a file cannot be had; says whether anything had to be cut. */
export async function serveHttp(options: ServeHttpOptions): Promise<{ cut: number }> {
  const { settings, log } = options
  const door = openDoor({ ...options, randomBytes })
  const tls = settings.tls && loadTls(settings.tls)
  const sharedKey = sharedKeyOf(settings.requestStateKeyFile)
  const life = { readiness: 'starting' as 'starting' | 'ready' | 'draining', isRefusing: false }
  const ended = untilSignal(options)
  const rooms = openRooms({
    ...options,
    toClient: { ask: () => Promise.reject(new CannotAsk()), tell: () => true },
    listChanged: { owe: () => {} },
  })
  const ends: (() => void)[] = []
  try {
    const edge = await openEdge({
      ...options,
      ...{ sharedKey, door, rooms },
      readiness: () => life.readiness,
      isRefusing: () => life.isRefusing,
      makeMeters: (looks) => makeMeters(settings, looks),
    })
    const listener = createListener({
      ...{ settings, tls, answer: edge.answer },
      rules: { clock, isDraining: () => life.isRefusing },
      onUnreadable: () => edge.observer.refused({ reason: 'framing' }),
    })
    ends.push(edge.end, edge.streams.stop, followTokens(door, edge.doorkeeper, { log, clock }))
    if (settings.tls) ends.push(followTls(settings.tls, listener, { log, clock }))
    const port = await listener.listen(settings.listen)
    // Also when what follows fails: nothing keeps the process then.
    ends.push(() => {
      listener.stopListening()
      listener.cutAll()
    })
    if (typeof settings.metrics !== 'string') ends.push(await serveMetrics(settings.metrics, edge.meters))
    tell(options, port, door.startToken !== undefined)
    await begin(rooms)
    life.readiness = 'ready'
    await ended
    life.readiness = 'draining'
    return await end(options, edge, listener, () => void (life.isRefusing = true))
  } finally {
    for (const stop of ends) stop()
    await rooms.end()
  }
}

/** What a first client begins on stdio begins with the process here. */
async function begin(rooms: ServedRooms): Promise<void> {
  const { handlers } = await rooms.router
  await handlers.began?.()
}

async function end(
  { settings, log }: ServeHttpOptions,
  { places, streams, questions }: OpenedEdge,
  listener: Listener,
  refuse: () => void,
): Promise<{ cut: number }> {
  log.event('info', 'draining', { in_flight: places.count })
  const { cut } = await drain({
    ...settings,
    clock,
    refuse: () => {
      refuse()
      streams.endAll()
      questions.end()
      listener.stopListening()
    },
    inFlight: () => places.count + streams.count,
    onEnded: (look) => clock.every(lookMs, look),
  })
  listener.cutAll()
  log.event('info', 'drained', { in_flight: 0, cut })
  return { cut }
}

function tell(
  { settings, startTokenFile, tellListening, log }: ServeHttpOptions,
  port: number,
  hasToken: boolean,
): void {
  const scheme = settings.tls ? 'https' : 'http'
  const url = `${scheme}://${writeAddress({ ...settings.listen, port })}${settings.path}`
  if (settings.tls === undefined && !isLoopback(settings.listen.host)) log.event('warn', 'plain_http')
  tellListening({ event: 'listening', url, ...(hasToken && { token_file: startTokenFile }) })
}

async function makeMeters({ metrics }: HttpSettings, looks: Parameters<OpenEdgeOptions['makeMeters']>[0]) {
  return metrics === 'off' ? noMeters : (await import('./metrics/prometheus.ts')).createMeters(looks)
}

function sharedKeyOf(file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined
  const key = readHexSecret(file)
  if (key instanceof Buffer) return key
  throw new TokenFileRefused(`the key file ${file} must be a regular file with 64 hex digits`)
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
