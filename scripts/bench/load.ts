// A sandbox under steady load: both backends as processes of their own, two routers attached, a mix of reads, authorizations, payments
// and status reads at a fixed rate. Afterwards the books must balance to the cent.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { atMost, median, type BenchRow } from './row.ts'
import { startRouter, type RouterProcess } from './router-process.ts'

/** What a run found. Latencies are medians in milliseconds. */
export interface LoadReport {
  seconds: number
  calls: number
  errors: number
  firstQuarterMs: number
  lastQuarterMs: number
  /** What the routers were told was paid, what the ledger says, and what the budget counts: all equal when the books balance. */
  paidCents: number
  ledgerCents: number
  consumedCents: number
}

const token = 'load-hubu'
const policyYaml = 'id: load\nversion: "1"\ndefault_effect: allow\nrules: []\n'

/** Runs the load against a stamped bin; `perSecond` calls for `seconds`. */
export async function runLoad(bin: string, { perSecond = 200, seconds = 60 } = {}): Promise<LoadReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-load-'))
  const [hubuPort, gongbuPort] = [await freePort(), await freePort()]
  const hubu = backend(bin, ['sandbox', 'hubu'], folder, {
    HUBU_BIND_ADDR: `127.0.0.1:${hubuPort}`,
    HUBU_DB_PATH: path.join(folder, 'hubu.sqlite3'),
    HUBU_AUTH_TOKEN: token,
    HUBU_LOG_STDERR: '0',
  })
  const gongbu = backend(bin, ['sandbox', 'gongbu'], folder, {
    GONGBU_SANDBOX_FOLDER: path.join(folder, 'gongbu'),
    GONGBU_SANDBOX_PORT: String(gongbuPort),
    GONGBU_SANDBOX_TOKEN: 'load-gongbu',
    GONGBU_SANDBOX_HUBU_URL: `http://127.0.0.1:${hubuPort}`,
    GONGBU_SANDBOX_HUBU_TOKEN: token,
  })
  const routers: RouterProcess[] = []
  try {
    await Promise.all([answers(hubuPort, '/health'), answers(gongbuPort, '/livez')])
    const env = {
      HUBU_UNIFIED_HUBU_ENDPOINT: `http://127.0.0.1:${hubuPort}`,
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: token,
      HUBU_UNIFIED_GONGBU_ENDPOINT: `http://127.0.0.1:${gongbuPort}`,
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'load-gongbu',
      HUBU_UNIFIED_OPERATION_STATE_PATH: path.join(folder, 'registry.sqlite3'),
      HUBU_UNIFIED_RESPONSE_BUDGET: '0',
      HUBU_MCP_TRUST_CLIENT_APPROVAL: '1',
    }
    routers.push(await startRouter(bin, env), await startRouter(bin, env))
    return await drive(routers, booksOf(hubuPort), perSecond, seconds)
  } finally {
    await Promise.all(routers.map((router) => router.end()))
    await Promise.all([stop(gongbu), stop(hubu)])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads what Hubu itself keeps; the routers have enough to do. */
type Books = (route: string) => Promise<unknown>

function booksOf(hubuPort: number): Books {
  const headers = { authorization: `Bearer ${token}` }
  return async (route) => (await fetch(`http://127.0.0.1:${hubuPort}${route}`, { headers })).json()
}

/** The load of a minute as rows: no error, no growth in latency, balanced books. */
export async function benchLoad(bin: string): Promise<BenchRow[]> {
  const report = await runLoad(bin)
  const wrong =
    report.errors + Math.abs(report.paidCents - report.ledgerCents) + Math.abs(report.paidCents - report.consumedCents)
  const rate = `${report.calls} calls in ${report.seconds.toFixed(0)} s`
  return [
    atMost(
      1.5,
      {
        name: `latency, last quarter of ${rate}`,
        value: report.lastQuarterMs,
        floor: report.firstQuarterMs,
        unit: 'ms',
      },
      'the first quarter',
    ),
    {
      name: 'errors and unbalanced cents',
      value: wrong,
      floor: 0,
      unit: 'errors',
      target: 'none',
      ratio: wrong,
      isMet: wrong === 0,
    },
  ]
}

interface Reply {
  result?: { structuredContent?: Record<string, unknown>; isError?: boolean }
  error?: { message: string }
}

async function drive(routers: RouterProcess[], books: Books, perSecond: number, seconds: number): Promise<LoadReport> {
  const call = async (n: number, name: string, args: object, callId?: string) =>
    (await routers[n % routers.length]?.request('tools/call', {
      name,
      arguments: args,
      ...(callId && { _meta: { callId } }),
    })) as Reply
  const value = async (name: string, args: object) => (await call(0, name, args)).result?.structuredContent ?? {}

  const agent = await value('hubu_register_agent', { name: 'load', version: '1' })
  await value('hubu_apply_policy', { policy_yaml: policyYaml, agent_id: agent.agent_id })
  await value('hubu_create_budget', { amount_cents: 100_000_000, agent_id: agent.agent_id })
  const spend = { account_id: agent.account_id, amount_cents: 7, reason: 'load' }
  const handles: unknown[] = []
  const latencies: number[] = []
  let errors = 0
  let paidCents = 0

  const one = async (n: number): Promise<void> => {
    const begun = performance.now()
    const kind = n % 10
    let reply: Reply
    if (kind < 5) reply = await call(n, kind < 3 ? 'hubu_list_budgets' : 'hubu_list_agents', {})
    else if (kind < 7) reply = await call(n, 'hubu_authorize_spend', spend, `authorize-${n}`)
    else if (kind < 9) reply = await call(n, 'hubu_submit_spend', spend, `submit-${n}`)
    else
      reply =
        handles.length === 0
          ? await call(n, 'hubu_health', {})
          : await call(n, 'hubu_operation_status', { operation_handle: handles[n % handles.length] })
    latencies[n] = performance.now() - begun
    const decided = reply.result?.structuredContent
    if (reply.error !== undefined || reply.result?.isError || (kind >= 5 && kind < 9 && decided?.decision !== 'allow'))
      errors++
    else if (kind >= 7 && kind < 9) paidCents += 7
    if (decided?.operation_handle !== undefined) handles.push(decided.operation_handle)
  }

  const calls = perSecond * seconds
  const begun = performance.now()
  const open: Promise<void>[] = []
  for (let n = 0; n < calls; n++) {
    const dueMs = (n * 1000) / perSecond - (performance.now() - begun)
    if (dueMs > 1) await new Promise((resolve) => setTimeout(resolve, dueMs))
    open.push(one(n))
  }
  await Promise.all(open)
  const took = (performance.now() - begun) / 1000

  const { transactions } = (await books('/ledger')) as {
    transactions: { entries: { direction: string; amount_cents: number }[] }[]
  }
  const side = (direction: string) =>
    transactions
      .flatMap((row) => row.entries)
      .reduce((sum, entry) => sum + (entry.direction === direction ? entry.amount_cents : 0), 0)
  if (side('debit') !== side('credit')) errors++
  const { budgets } = (await books('/budgets')) as { budgets: { consumed_amount_cents: number }[] }
  const quarter = Math.floor(calls / 4)
  return {
    seconds: took,
    calls,
    errors,
    firstQuarterMs: median(latencies.slice(0, quarter)),
    lastQuarterMs: median(latencies.slice(-quarter)),
    paidCents,
    ledgerCents: side('debit'),
    consumedCents: budgets.reduce((sum, budget) => sum + budget.consumed_amount_cents, 0),
  }
}

function backend(bin: string, args: string[], cwd: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('close', () => resolve())
    child.kill('SIGTERM')
  })
}

async function answers(port: number, route: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}${route}`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('a backend did not start')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
