// READ THIS FIRST. Opens the rooms, serves MCP on stdio, and tears down in reverse.
import type { Readable, Writable } from 'node:stream'
import { createAnswerWatch } from './calls/answer-watch.ts'
import type { BuildStamp } from './capabilities/compatibility.ts'
import type { Config } from './config/load-config.ts'
import type { Log } from './redaction/log.ts'
import { openRooms } from './serve-rooms.ts'
import { ListChanged } from './server/list-changed.ts'
import { serveStdio, type CloseReason, type SignalSource } from './server/serve-stdio.ts'
import { ToClient } from './server/to-client.ts'

/** A served router's configuration, and the process around it. */
export interface ServeOptions {
  config: Config
  stamp: BuildStamp
  /** How the server introduces itself; a sandbox says that it is one. Default: the contract's name. */
  serverName?: string
  streams: { stdin: Readable; stdout: Writable }
  signals: SignalSource
  /** Who started us, now; absent: it is not looked. */
  parentId?(): number
  exitNow(): void
  /** Faults that are not refusals, for the redacted log. */
  report(fault: unknown): void
  /** Sentences for the redacted log; silent unless given. */
  log?: Pick<Log, 'warn' | 'info' | 'debug'>
}

/** Serves until the client goes. Everything begun is ended when the promise settles. */
export async function serve(options: ServeOptions): Promise<CloseReason> {
  const { log = silentLog } = options
  const [toClient, listChanged] = [new ToClient(), new ListChanged()]
  const { serverInfo, state, client, connection, router, discover, end } = openRooms({
    ...options,
    log,
    toClient,
    listChanged,
  })
  const { reason } = await serveStdio({
    ...options,
    serverInfo,
    handlers: router.then(({ handlers }) => handlers),
    discover,
    client: () => client.view,
    listChanged,
    toClient,
    answers: createAnswerWatch(() => state.deliveries(), connection.toString('hex')),
    onClosed: () => void router.then(({ gateway }) => gateway?.beginStop()).catch(() => {}),
    onHurried: () => void router.then(({ gateway }) => gateway?.endServers()).catch(() => {}),
    teardown: end,
  })
  log.info(`Serving ended (${reason}).`)
  return reason
}

const silentLog: NonNullable<ServeOptions['log']> = { warn: () => {}, info: () => {}, debug: () => {} }
