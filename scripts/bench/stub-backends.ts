import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The stamp of routers and stubs in a benchmark. */
export const benchStamp = { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) }

/** One healthy backend on loopback with keep-alive. */
export interface StubBackend {
  url: string
  close(): Promise<void>
}

type Answer = (request: IncomingMessage, body: string) => unknown

const executor = 'hubu-spend-executor-v4.3'
const version = { product_version: benchStamp.productVersion, source_commit: benchStamp.sourceCommit }

/** A Hubu that answers a read of budgets, a slow read of the ledger (20 ms) and every authorization with allow. */
export function startStubHubu(): Promise<StubBackend> {
  return start({
    '/health': () => ({ status: 'ok' }),
    '/version': () => ({ ...version, executor_contract: executor }),
    '/budgets': () => ({ budgets: [{ budget_id: 'bgt_1', amount_limit_cents: 1000 }] }),
    '/ledger': () => new Promise((resolve) => setTimeout(() => resolve({ entries: [] }), 20)),
    '/spend/authorize': (_request, body) => {
      const { operation_key: key } = JSON.parse(body) as { operation_key: string }
      return {
        decision: 'allow',
        decision_id: 'dec',
        auth_token_id: `tok-${key.slice(-32)}`,
        operation_key: key,
        task_id: null,
      }
    },
  })
}

/** A Gongbu that is there. */
export function startStubGongbu(): Promise<StubBackend> {
  return start({
    '/livez': () => ({ status: 'live' }),
    '/readyz': () => ({ status: 'ready' }),
    '/version': () => ({
      ...version,
      hubu_executor_contract: executor,
      api_schema_version: 2,
      mcp_schema_version: 2,
      mcp_protocol_version: '2024-11-05',
    }),
  })
}

async function start(routes: Record<string, Answer>): Promise<StubBackend> {
  const server = createServer((request, response) => void answer(routes, request, response))
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  routes: Record<string, Answer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const route = routes[request.url ?? '']
  const body = JSON.stringify((await route?.(request, Buffer.concat(chunks).toString())) ?? { error: 'no such route' })
  response.writeHead(route ? 200 : 404, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
