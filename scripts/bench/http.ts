// The HTTP edge: what one call, one session and one token cost, how many calls it takes, and what open streams hold.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { benchJwt } from './http-jwt.ts'
import { costMs, openSender, peopleTokens, repeat, serveBare, serveHttp, type HttpPeer } from './http-peer.ts'
import { benchStreams } from './http-streams.ts'
import { routerEnvironment, startRouter, startPeer } from './router-process.ts'
import { atLeast, atMost, median, timed, type BenchRow } from './row.ts'
import { startStubs } from './stub-process.ts'

const callsOfARound = 400
const rounds = 9
const reads = 4000
const people = 64
const starts = 15

type Headers = Record<string, string>

/** Headers of one caller; `modern` for the revision without a handshake. */
function headersOf(token: string, more: Headers = {}): Headers {
  return {
    ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...{ accept: 'application/json, text/event-stream', ...more },
  }
}

const read = { name: 'hubu_list_budgets', arguments: {} }
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modernBody = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...read, _meta: meta } })
const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': read.name }
const legacyBody = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: read })
const legacyHeaders = { 'mcp-protocol-version': '2025-06-18' }

/** Rows of the edge that `serve --http` adds. */
export async function benchHttp(bin: string): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-bench-'))
  const stubs = await startStubs()
  const env = routerEnvironment(stubs.hubuUrl, stubs.gongbuUrl, path.join(folder, 'registry.sqlite3'))
  const { file, tokens } = peopleTokens(folder, people)
  const router = await serveHttp(bin, folder, env, { auth: { tokens: file } })
  try {
    return [
      ...(await benchCalls(router, tokens[0]!, stubs.hubuUrl)),
      ...(await benchRates(router, tokens)),
      ...(await benchSession(router, tokens[0]!)),
      ...(await benchJwt(bin, folder, env, callsOfARound)),
      ...(await benchStreams(bin, folder)),
      await benchDiscover(bin),
    ]
  } finally {
    await Promise.all([router.end(), stubs.end()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What one read costs beside the same answer of a bare server, in turn. */
async function benchCalls(router: HttpPeer, token: string, hubuUrl: string): Promise<BenchRow[]> {
  const sender = openSender(router, 8)
  const kinds = [
    { era: 'modern', body: modernBody, headers: headersOf(token, modernHeaders) },
    { era: 'legacy', body: legacyBody, headers: headersOf(token, legacyHeaders) },
  ]
  const rows: BenchRow[] = []
  for (const { era, body, headers } of kinds) {
    const bare = await serveBare(hubuUrl, (await sender.send(body, headers)).text)
    const bareSender = openSender(bare, 8)
    const ours: number[] = []
    for (let round = -1; round < rounds; round++) {
      const floor = await costMs(bare, callsOfARound, () => bareSender.send(body, headers))
      const cost = await costMs(router, callsOfARound, () => sender.send(body, headers))
      // The first round warms up.
      if (round >= 0) ours.push(cost - floor)
    }
    await bareSender.close()
    await bare.end()
    const figure = {
      name: `CPU of a ${era} read, over a bare server`,
      value: median(ours),
      floor: 0.2,
      unit: 'ms',
    } as const
    rows.push(atMost(1, figure, '0.2 ms'))
  }
  await sender.close()
  return rows
}

/** Reads a second, of one principal and of many. */
async function benchRates(router: HttpPeer, tokens: readonly string[]): Promise<BenchRow[]> {
  const rate = async (atATime: number, headersFor: (n: number) => Headers) => {
    const sender = openSender(router, atATime)
    const send = (n: number) => sender.send(modernBody, headersFor(n))
    await repeat(atATime * 4, atATime, send)
    const ms = await timed(() => repeat(reads, atATime, send))
    await sender.close()
    return (reads * 1000) / ms
  }
  const of = tokens.map((token) => headersOf(token, modernHeaders))
  const governed = await rate(32, () => of[0]!)
  const [one, many]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round++) {
    one.push(await rate(people, () => of[0]!))
    many.push(await rate(people, (n) => of[n % people]!))
  }
  return [
    atLeast(
      1,
      { name: 'governed reads, 32 at a time', value: governed, floor: 1000, unit: 'per second' },
      '1000 a second',
    ),
    atLeast(
      0.9,
      { name: `reads of ${people} principals at once`, value: median(many), floor: median(one), unit: 'per second' },
      'those of one',
    ),
  ]
}

/** What a session id adds to a read, and what its making adds to an `initialize`. */
async function benchSession(router: HttpPeer, token: string): Promise<BenchRow[]> {
  const sender = openSender(router, 8)
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: client })
  const plain = headersOf(token, legacyHeaders)
  const { headers } = await sender.send(hello, headersOf(token))
  const session = { ...plain, 'mcp-session-id': String(headers['mcp-session-id']) }
  const added: number[] = []
  for (let round = -1; round < rounds; round++) {
    const without = await costMs(router, callsOfARound, () => sender.send(legacyBody, plain))
    const within = await costMs(router, callsOfARound, () => sender.send(legacyBody, session))
    if (round >= 0) added.push(within - without)
  }
  await sender.close()
  const figure = {
    name: 'a session id, over a read without one',
    value: median(added),
    floor: 0.03,
    unit: 'ms',
  } as const
  return [atMost(1, figure, '0.03 ms')]
}

/** From the start to the answer of the first question, in both eras. */
async function benchDiscover(bin: string): Promise<BenchRow> {
  const [initialize, discover]: [number[], number[]] = [[], []]
  const params = { _meta: meta }
  for (let n = 0; n < starts; n++) {
    const router = await startRouter(bin, {})
    initialize.push(router.startedMs)
    await router.end()
    const asked = await startPeer(process.execPath, [bin], {}, { method: 'server/discover', params })
    discover.push(asked.startedMs)
    await asked.end()
  }
  return atMost(
    1.3,
    { name: '`server/discover` on stdio, from start', value: median(discover), floor: median(initialize), unit: 'ms' },
    '`initialize`',
  )
}
