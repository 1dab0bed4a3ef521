import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
  type ClientCapabilities,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Clock } from '../timing/clock.ts'
import { linkSignals } from '../timing/link-signals.ts'
import { cleanInstructions } from './admission/clean-text.ts'
import type { ListedTool } from './admission/admit.ts'
import { demandOwnNames, TakenName } from './bare-names.ts'
import { Exchanges } from './exchanges.ts'
import { Listening } from './listening.ts'
import {
  claimOf,
  demandModern,
  demandRevision,
  modernExchange,
  NotModern,
  PatientClient,
  refuseDiscovery,
} from './modern-server.ts'
import { readOffer, type Offer } from './offer.ts'
import type { Exchange } from './outcome.ts'
import type { ReviewTools } from './tool-review.ts'
import type { ResultTexts } from './raw-result.ts'
import { relayedCapabilities, relayUpwards, type Upstream } from './upstream.ts'
import { TappedTransport } from './tapped-transport.ts'

/** One live connection to a mounted server. */
export interface Connection {
  readonly offer: Offer
  /** What the server says of its use, cleaned and of at most 16 KiB characters; empty when it says nothing. */
  readonly instructions: string
  /** What the server says it can do. */
  readonly capabilities: ServerCapabilities
  readonly exchange: Exchange
  /** Tells the server that the client's roots have changed, if it was told that it would be told. */
  tellRootsChanged(): void
  /** Watches resources as a connection before this one did; each counts as changed, since nobody saw it meanwhile. */
  watchAgain(uris: Iterable<string>): void
  /** Asks for everything that is offered again. */
  readOffer(): Promise<Offer>
  /** Ends it; resolves when nothing is left of it, its process included. */
  close(): Promise<void>
  /** Lets what is under way end, and closes then. */
  retire(): Promise<void>
}

/** How one connection is made. */
export interface ConnectOptions {
  server: string
  /** Its name for people who are asked something by it; undefined: its tools, prompts and resources go out under their own names. */
  label: string | undefined
  /** How we introduce ourselves. */
  clientInfo: { name: string; version: string }
  upstream: Upstream
  /** Everything until the first lists are read takes at most this long. */
  timeoutMs: number
  /** Gives the attempt up. */
  signal: AbortSignal
  clock: Pick<Clock, 'turn' | 'after'>
  /** In [0, 1). */
  random(): number
  /** Gives which of the tools that the server lists are held. */
  review(tools: readonly ListedTool[], onFreed: () => void): ReturnType<ReviewTools>
  /**
   * Which revisions it speaks. `auto`: a refused handshake may mean that it has none, and it is asked so over the same connection.
   */
  era: 'auto' | 'legacy' | 'modern'
  /** Looks at each offer before anybody else does, and may change it. */
  onOffer?(offer: Offer): Offer
  /** Where the transport leaves the texts of results. */
  texts: ResultTexts
}

/** What a connection reports while it lives. */
export interface ConnectionEvents {
  /** What the server offers has changed. */
  onChanged(): void
  /** The server is gone; told at once and once. `reason` is a sentence of ours where there is more to say. */
  onLost(reason?: string): void
}

const announcements = [
  ToolListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  PromptListChangedNotificationSchema,
]

/** Results are passed on as they are, so nothing is held against a server's output schema. */
const jsonSchemaValidator = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }),
}

/** Why a handshake was refused; undefined when it was not. */
const refusalOf = (handshake: Promise<void>): Promise<{ error: unknown } | undefined> =>
  handshake.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )

/** Connects, initializes and lists what the server offers. Rejects when it cannot; the transport is closed then. */
export async function connect(
  inner: Transport,
  events: ConnectionEvents,
  options: ConnectOptions,
): Promise<Connection> {
  const { timeoutMs, signal, texts, server, label, clientInfo, upstream, clock, random, review, era } = options
  const { onOffer = (offer: Offer) => offer } = options
  const transport = new TappedTransport(inner, texts)
  const capabilities: ClientCapabilities = relayedCapabilities(upstream)
  const client = new PatientClient(clientInfo, { capabilities, jsonSchemaValidator })
  relayUpwards(client, { server, label, upstream })
  for (const schema of announcements) client.setNotificationHandler(schema, () => events.onChanged())
  const said: {
    capabilities: ServerCapabilities
    instructions?: string | undefined
    claim?: Record<string, unknown>
    listening?: Listening
  } = { capabilities: {} }
  client.onclose = () => {
    said.listening?.close()
    events.onLost(transport.broken?.message)
  }
  const exchanges = new Exchanges(client, transport)
  const plain: Exchange = (...asked) => exchanges.exchange(...asked)
  const read = async (until: AbortSignal) => {
    const offer = await readOffer(
      (method, params, signal) =>
        exchanges.ask(method, said.claim === undefined ? params : { ...params, _meta: said.claim }, [until, signal]),
      said.capabilities,
      clock,
      (tools) => review(tools, () => events.onChanged()),
    )
    if (label === undefined) demandOwnNames(offer)
    return onOffer(offer)
  }
  /** Asks for what a handshake would say; gives the way to ask from then on. */
  const discover = async (until: AbortSignal): Promise<Exchange> => {
    const claim = claimOf(clientInfo)
    const params = { _meta: claim }
    const watched = transport.watch(params)
    const found = await exchanges
      .ask('server/discover', params, [until])
      .catch((error: unknown) => refuseDiscovery(watched, error))
    demandRevision(found.supportedVersions)
    const { capabilities = {}, instructions } = found as { capabilities?: ServerCapabilities; instructions?: string }
    Object.assign(said, { capabilities, instructions, claim })
    const listening = new Listening({
      open: (params) => exchanges.listen(params),
      onMissed: (uris) => {
        events.onChanged()
        for (const uri of uris) upstream.tellUpdated?.(server, uri)
      },
      ...{ claim, clock, random },
    })
    said.listening = listening
    void listening.open()
    return modernExchange(plain, clientInfo, listening)
  }
  const openWithout = async (until: AbortSignal): Promise<Exchange> => {
    await client.open(transport)
    client.release()
    return discover(until)
  }
  const shakeHands = async (until: AbortSignal): Promise<Exchange> => {
    const refusal = await refusalOf(client.connect(transport, { timeout: timeoutMs, signal: until }))
    // The SDK closes in the turn in which a handshake fails.
    client.release()
    if (refusal !== undefined) {
      if (era === 'legacy') throw refusal.error
      demandModern(refusal.error)
      return discover(until)
    }
    Object.assign(said, { capabilities: client.getServerCapabilities() ?? {}, instructions: client.getInstructions() })
    return plain
  }
  // The client forgets a transport that is closed, but not everything of it has ended then.
  const close = async () => {
    client.release()
    await client.close().catch(() => {})
    await inner.close().catch(() => {})
  }
  const overdue = new AbortController()
  const cancel = clock.after(timeoutMs, () => overdue.abort(new DOMException('not in time', 'TimeoutError')))
  const deadline = linkSignals([signal, overdue.signal])
  try {
    const exchange = era === 'modern' ? await openWithout(deadline.signal) : await shakeHands(deadline.signal)
    return {
      offer: await read(deadline.signal),
      instructions: cleanInstructions(said.instructions),
      capabilities: said.capabilities,
      readOffer: () =>
        read(AbortSignal.timeout(timeoutMs)).catch((error: unknown) => {
          if (error instanceof TakenName) events.onLost(`connect: ${error.message}`)
          throw error
        }),
      tellRootsChanged: () => {
        if (said.claim === undefined && capabilities.roots?.listChanged === true)
          void client.sendRootsListChanged().catch(() => {})
      },
      watchAgain: (uris) => {
        for (const uri of uris)
          void exchange('resources/subscribe', { uri }, { limit: AbortSignal.timeout(timeoutMs) }).then(() =>
            upstream.tellUpdated?.(server, uri),
          )
      },
      close,
      retire: () => exchanges.whenIdle().then(close),
      exchange,
    }
  } catch (error) {
    await close()
    const isRefused = error instanceof NotModern && era === 'auto'
    throw transport.broken ?? (isRefused ? error.cause : error)
  } finally {
    cancel()
    deadline.release()
  }
}
