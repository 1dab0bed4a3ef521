import type { ServerConfig } from '#generated/types/config.js'
import { redactErrorText } from '../redaction/replace.ts'
import type { Secret } from '../redaction/secret.ts'
import type { Clock } from '../timing/clock.ts'
import { startChild, type Child } from './child-process.ts'
import { ChildTransport } from './child-transport.ts'
import { connect, type Connection, type ConnectionEvents } from './connection.ts'
import { childEnvironment, type EnvironmentSource } from './environment.ts'
import { expandEntry } from './expand-entry.ts'
import { explainFailure } from './explain.ts'
import { MountedServer } from './mounted-server.ts'
import { openPatientFetch } from './patient-fetch.ts'
import type { LastAnswer } from './reasons/network.ts'
import { checkFolder, type StartPlace } from './reasons/start.ts'
import { ResultTexts } from './raw-result.ts'
import type { ListedTool } from './admission/admit.ts'
import type { ReviewTools } from './tool-review.ts'
import { connectInEra, type MountEra } from './either-era.ts'
import { MirroredTools } from './mirrored-tools.ts'
import { createModernTransport, createRemoteTransport } from './remote-transport.ts'
import type { Upstream } from './upstream.ts'

/** What a mounted server is connected with. */
export interface CreateServerOptions {
  /** Our own client, for what servers ask of it; absent: there is none, and nothing can be asked. */
  upstream?: Upstream
  /** How we introduce ourselves. */
  clientInfo: { name: string; version: string }
  environment: EnvironmentSource
  /** Which log messages the client wants; absent: there is no client, or it has not said so. */
  logLevel?(): string | undefined
  clock: Pick<Clock, 'after' | 'sleep' | 'turn' | 'monotonicMs'>
  random(): number
  /** After every change of what is offered or connected. */
  onChange(): void
  /** Looks at what servers list; absent: nothing is held. */
  review?: ReviewTools
  /** Odd things worth a log line; holds names, never contents. */
  warn(message: string): void
}

// Official clients signal us two seconds after they close our input, and kill us two later: children must be gone by then.
const stopPatience = { afterEndMs: 1000, afterTermMs: 500 }

const nobody: Upstream = {
  capabilities: () => ({}),
  ask: () => Promise.reject(new Error('there is no client')),
  tell: () => true,
}

const holdNothing = Promise.resolve(new Map<string, never>())

/**
 * A command that has not been connected yet may be fetching its package, and one that is ended meanwhile would begin that anew for
 * ever: so many times as long it may take.
 */
const firstTryFactor = 4

/** Makes the server of one entry, after another one of this name if there was one; nothing is started yet. */
export function createServer(
  name: string,
  settings: ServerConfig,
  options: CreateServerOptions & { connectTimeoutMs(): number },
  former?: MountedServer,
): MountedServer {
  const isHolding = settings.on_change === 'hold'
  let child: Child | undefined
  let secrets: readonly Secret[] = []
  let wasConnected = false
  let place: StartPlace | undefined
  let lastAnswer: LastAnswer | undefined
  /** That in which it was connected last. */
  let likely: MountEra = 'modern'
  const make = async (events: ConnectionEvents, signal: AbortSignal): Promise<Connection> => {
    const texts = new ResultTexts()
    const entry = expandEntry(settings, options.environment)
    secrets = entry.secrets
    const { url, headers } = entry
    lastAnswer = undefined
    child = undefined
    const bounds = {
      timeoutMs: options.connectTimeoutMs() * (url === undefined && !wasConnected ? firstTryFactor : 1),
      signal,
      texts,
      server: name,
      label: settings.prefix === '' ? undefined : name,
      upstream: options.upstream ?? nobody,
      clientInfo: options.clientInfo,
      clock: options.clock,
      random: () => options.random(),
      review: (tools: readonly ListedTool[], onFreed: () => void) =>
        options.review?.(name, tools, { isHolding, onFreed, signal }) ?? holdNothing,
    }
    if (url !== undefined) {
      const fetch = await openPatientFetch(options.environment.env)
      const endpoint = { url, headers, fetch }
      const note = (answer: LastAnswer) => void (lastAnswer = answer)
      const mirrored = new MirroredTools()
      const modern = () =>
        connect(
          createModernTransport(endpoint, (tool) => mirrored.of(tool), texts, options.clock, note),
          events,
          { ...bounds, era: 'modern', onOffer: (offer) => mirrored.learn(offer) },
        )
      const legacy = () =>
        connectOlder(settings.transport, (transport) =>
          connect(
            createRemoteTransport({ ...endpoint, transport }, texts, options.clock, (answer) => {
              // Whoever is asked in the older way in vain is explained by its first answer.
              if (transport === 'http' || settings.transport === 'sse') note(answer)
            }),
            events,
            { ...bounds, era: 'legacy' },
          ),
        )
      if (settings.transport === 'sse' || settings.era === 'legacy') return legacy()
      if (settings.era === 'modern') return modern()
      const found = await connectInEra(likely, { modern, legacy })
      likely = found.era
      return found.connection
    }
    const env = childEnvironment(options.environment, entry.env, settings.pass_env)
    place = { command: entry.command, cwd: entry.cwd, env }
    checkFolder(entry)
    child = await startChild(
      { command: entry.command, args: entry.args, cwd: entry.cwd, env },
      options.clock,
      stopPatience,
    )
    const onJunk = (count: number) => {
      if (count === 1)
        options.warn(`the mounted server ${name} writes lines to stdout that are no messages; they are skipped`)
    }
    return connect(new ChildTransport(child, texts, options.clock, onJunk), events, {
      ...bounds,
      era: settings.era ?? 'auto',
    })
  }
  const explain = (error: unknown) =>
    withoutSecrets(
      explainFailure({
        error,
        stderrTail: child?.stderrTail(),
        declaredVariables: Object.keys(settings.env ?? {}),
        place,
        lastAnswer,
      }),
      secrets,
    )
  const lastWords = () => withoutSecrets(child?.stderrTail() ?? '', secrets)
  const connectOnce: typeof make = async (...given) => {
    const connection = await make(...given)
    wasConnected = true
    return connection
  }
  return new MountedServer({ ...options, name, isHolding, connect: connectOnce, explain, lastWords }, former)
}

/** A value that is longer than the text is not in it, and a pattern of many kilobytes would be none. */
function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  return redactErrorText(
    text,
    secrets.filter((secret) => secret.reveal().length <= text.length),
  )
}

/** What an older server answers to the first request of Streamable HTTP. */
const olderStatuses: readonly unknown[] = [400, 404, 405]

/** Where the entry names no transport, a server that does not know Streamable HTTP is asked in the older way, as the specification says. */
async function connectOlder(
  transport: 'http' | 'sse' | undefined,
  connectBy: (transport: 'http' | 'sse') => Promise<Connection>,
): Promise<Connection> {
  if (transport !== undefined) return connectBy(transport)
  try {
    return await connectBy('http')
  } catch (error) {
    if (!olderStatuses.includes((error as { code?: unknown }).code)) throw error
    return connectBy('sse').catch(() => {
      throw error
    })
  }
}
