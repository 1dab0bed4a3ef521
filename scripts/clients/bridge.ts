// Streamable HTTP in front of a stdio server, for test suites that speak only HTTP. One server process for each session; messages
// pass as they are. On loopback only, and only as long as a test runs.
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

/** How to start the stdio server. */
export interface StdioCommand {
  command: string
  args: string[]
  env: Record<string, string>
}

/** A running bridge. */
export interface Bridge extends AsyncDisposable {
  /** Where clients connect. */
  readonly url: string
}

/** Starts a bridge on a port of its own: `await using bridge = await startBridge(command)`. */
export async function startBridge(command: StdioCommand): Promise<Bridge> {
  const sessions = new Map<string, Session>()
  const http = createServer((request, response) => {
    void sessionOf(request, sessions, () => openSession(command, port, sessions)).then((session) =>
      session === undefined ? unknownSession(response) : session.transport.handleRequest(request, response),
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      const ended = [...sessions.values()].map((session) => session.close())
      http.close()
      http.closeAllConnections()
      await Promise.all([...ended, once(http, 'close')])
    },
  }
}

interface Session {
  transport: StreamableHTTPServerTransport
  close(): Promise<void>
}

/** The session that a request names, or a new one when it names none; undefined when it is not known. */
async function sessionOf(
  request: IncomingMessage,
  sessions: ReadonlyMap<string, Session>,
  open: () => Promise<Session>,
): Promise<Session | undefined> {
  const id = request.headers['mcp-session-id']
  return id === undefined ? open() : sessions.get(String(id))
}

function unknownSession(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}')
}

async function openSession(
  { command, args, env }: StdioCommand,
  port: number,
  sessions: Map<string, Session>,
): Promise<Session> {
  let child: ChildProcess | undefined
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, session),
    // What the bridge answers for: no page of a browser may reach it under another name.
    enableDnsRebindingProtection: true,
    allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`],
    allowedOrigins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
  })
  const progress = new Map<unknown, RequestId>()
  const session: Session = {
    transport,
    close: async () => {
      const running = child
      await transport.close()
      if (running === undefined || running.exitCode !== null) return
      running.stdin?.end()
      await once(running, 'exit')
    },
  }
  transport.onmessage = (message) => {
    // A process is started for the first message that the HTTP side lets in.
    child ??= start(command, args, env, (line) => void forward(line, transport, progress))
    noteProgressToken(message, progress)
    child.stdin?.write(`${JSON.stringify(message)}\n`)
  }
  transport.onclose = () => {
    child?.stdin?.end()
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId)
  }
  await transport.start()
  return session
}

function start(
  command: string,
  args: string[],
  env: Record<string, string>,
  onLine: (line: string) => void,
): ChildProcess {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', onLine)
  return child
}

/** Progress belongs on the stream of its request, everything else that answers nothing on the session's own. */
async function forward(
  line: string,
  transport: StreamableHTTPServerTransport,
  progress: ReadonlyMap<unknown, RequestId>,
): Promise<void> {
  const message = JSON.parse(line) as JSONRPCMessage & { params?: { progressToken?: unknown } }
  const relatedRequestId = progress.get(message.params?.progressToken)
  // The client may have gone meanwhile; then nobody waits for this line.
  await transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch(() => {})
}

function noteProgressToken(message: JSONRPCMessage, progress: Map<unknown, RequestId>): void {
  if (!('id' in message) || !('params' in message)) return
  const token = message.params?._meta?.progressToken
  if (token !== undefined && message.id !== undefined) progress.set(token, message.id)
}
