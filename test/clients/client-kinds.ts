// The two generations of the official client under one shape, so that both play the same scenes.
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** A connected client. */
export interface ConnectedClient {
  serverName(): string | undefined
  protocolVersion(): string | undefined
  listTools(): Promise<string[]>
  callTool(call: ToolCall, waiting?: Waiting): Promise<unknown>
  ping(): Promise<unknown>
  /** Ends the server's input; what it had written to stderr. */
  close(): Promise<string>
}

export interface ToolCall {
  name: string
  arguments?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

export interface Waiting {
  signal?: AbortSignal
  onProgress?: (progress: number) => void
}

/** How one kind of client is started on a built bin. */
export type ConnectClient = (
  bin: string,
  env: Record<string, string>,
  onListChanged?: () => void,
) => Promise<ConnectedClient>

const clientInfo = { name: 'hubu-test', version: '1' }

/** The client of SDK 1.x. */
export const connectV1: ConnectClient = async (bin, env, onListChanged = () => {}) => {
  const client = new ClientV1(clientInfo)
  const transport = new TransportV1({ command: process.execPath, args: [bin], env, stderr: 'pipe' })
  const stderr = text(transport.stderr as Readable)
  let version: string | undefined
  // The client tells its transport what was agreed; nobody else can ask.
  Object.assign(transport, { setProtocolVersion: (agreed: string) => void (version = agreed) })
  client.setNotificationHandler(ToolListChangedNotificationSchema, onListChanged)
  await client.connect(transport)
  return {
    serverName: () => client.getServerVersion()?.name,
    protocolVersion: () => version,
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    callTool: (call, { signal, onProgress } = {}) =>
      client.callTool(call, undefined, {
        signal,
        ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
      }),
    ping: () => client.ping(),
    close: async () => {
      await client.close()
      return stderr
    },
  }
}

/** The client of the second generation, which speaks the revisions with a handshake unless it is told otherwise. */
export const connectV2: ConnectClient = (...given) => connectSecond('legacy', ...given)

/** The same, held to the modern era: it begins with `server/discover` and takes nothing else. */
export const connectModern: ConnectClient = (...given) => connectSecond({ pin: '2026-07-28' }, ...given)

/** The same, left to find out. */
export const connectAuto: ConnectClient = (...given) => connectSecond('auto', ...given)

async function connectSecond(
  mode: 'auto' | 'legacy' | { pin: string },
  ...[bin, env, onListChanged = () => {}]: Parameters<ConnectClient>
): Promise<ConnectedClient> {
  const client = new ClientV2(clientInfo, { versionNegotiation: { mode } })
  const transport = new TransportV2({ command: process.execPath, args: [bin], env, stderr: 'pipe' })
  const stderr = text(transport.stderr as Readable)
  client.setNotificationHandler('notifications/tools/list_changed', onListChanged)
  await client.connect(transport)
  const isModern = client.getProtocolEra() === 'modern'
  // The modern era tells only who listens, and has no ping.
  const subscription = isModern ? await client.listen({ toolsListChanged: true }) : undefined
  return {
    serverName: () => client.getServerVersion()?.name,
    protocolVersion: () => client.getNegotiatedProtocolVersion(),
    listTools: async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name),
    callTool: (call, { signal, onProgress } = {}) =>
      client.callTool(call, { signal, ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }) }),
    ping: () => (isModern ? client.listTools(undefined, { cacheMode: 'refresh' }) : client.ping()),
    close: async () => {
      await subscription?.close()
      await client.close()
      return stderr
    },
  }
}
