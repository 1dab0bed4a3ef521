// Start, reads, concurrency, spend and idling of the built router, each beside its floor in the same run.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Pool } from 'undici'
import { cpuMs } from './cpu.ts'
import { atLeast, atMost, median, timed, type BenchRow } from './row.ts'
import { routerEnvironment, startRouter, type RouterProcess } from './router-process.ts'
import { benchSpend, call } from './spend.ts'
import { startStubs } from './stub-process.ts'

const starts = 25
const reads = 2000
const parallel = 64
const rounds = 100
const bursts = 15

/** Measures a bin that was built with the stamp of the stub backends. */
export async function benchRouter(bin: string): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-bench-'))
  const stubs = await startStubs()
  const env = routerEnvironment(stubs.hubuUrl, stubs.gongbuUrl, path.join(folder, 'registry.sqlite3'))
  const pool = new Pool(stubs.hubuUrl)
  try {
    const rows = [await benchStart(bin, env)]
    const router = await startRouter(bin, env)
    rows.push(
      ...(await benchRead(router, pool)),
      ...(await benchConcurrency(router)),
      ...(await benchSpend(router, pool, folder)),
      await benchIdle(router),
    )
    await router.end()
    return rows
  } finally {
    await Promise.all([pool.close(), stubs.end()])
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchStart(bin: string, env: Record<string, string>): Promise<BenchRow> {
  const floor: number[] = []
  const value: number[] = []
  for (let n = 0; n < starts; n++) {
    floor.push(timedSync(() => void spawnSync(process.execPath, ['-e', '0'])))
    const router = await startRouter(bin, env)
    value.push(router.startedMs)
    await router.end()
  }
  return atMost(
    1.6,
    { name: 'cold start to the initialize reply', value: median(value), floor: median(floor), unit: 'ms' },
    '`node -e 0`',
  )
}

/** A read beside the same GET, and beside that GET plus a line through the pipes of a process that only echoes. */
async function benchRead(router: RouterProcess, pool: Pool): Promise<BenchRow[]> {
  const direct = async () =>
    JSON.parse(await (await pool.request({ method: 'GET', path: '/budgets' })).body.text()) as unknown
  const echo = startEcho()
  const get: number[] = []
  const getAndEcho: number[] = []
  const value: number[] = []
  for (let n = 0; n < reads; n++) {
    get.push(await timed(direct))
    getAndEcho.push(await timed(() => direct().then(echo.line)))
    value.push(await timed(() => call(router, 'hubu_list_budgets', {})))
  }
  echo.end()
  const row = { name: 'one routed read', value: median(value), unit: 'ms' } as const
  return [
    atMost(1.5, { ...row, floor: median(get) }, 'the same GET by undici'),
    atMost(2, { ...row, name: 'the same', floor: median(getAndEcho) }, 'that GET and a line echoed by a bare process'),
  ]
}

function startEcho() {
  const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const text = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } })}\n`
  return {
    line: () =>
      new Promise((resolve) => {
        child.stdout.once('data', resolve)
        child.stdin.write(text)
      }),
    end: () => child.stdin.end(),
  }
}

/** Sixty-four at a time for a while, and sixty-four once. */
async function benchConcurrency(router: RouterProcess): Promise<BenchRow[]> {
  const read = () => call(router, 'hubu_list_ledger', {})
  await read()
  const inTurn = async (times: number) => {
    for (let n = 0; n < times; n++) await read()
  }
  const serialMs = (await timed(() => inTurn(rounds))) / rounds
  const burst = () => Promise.all(Array.from({ length: parallel }, read))
  await burst()
  const togetherMs = await timed(() => Promise.all(Array.from({ length: parallel }, () => inTurn(rounds))))
  const burstMs: number[] = []
  for (let n = 0; n < bursts; n++) burstMs.push(await timed(burst))
  const row = { floor: 1000 / serialMs, unit: 'per second' } as const
  const steady = (parallel * rounds * 1000) / togetherMs
  const once = (parallel * 1000) / median(burstMs)
  return [
    atLeast(50, { ...row, name: `reads of 20 ms, ${parallel} at a time`, value: steady }, 'the serial rate'),
    atLeast(50, { ...row, name: `${parallel} reads of 20 ms, once`, value: once }, 'the serial rate'),
  ]
}

/** Processor time of an idle, initialized router over two seconds, against one percent of a core. */
async function benchIdle(router: RouterProcess): Promise<BenchRow> {
  await new Promise((resolve) => setTimeout(resolve, 500))
  const before = cpuMs(router.pid)
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const value = (cpuMs(router.pid) - before) / 20
  return atMost(1, { name: 'idle', value, floor: 1, unit: '% of a core' }, '1 % of a core')
}

function timedSync(work: () => void): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}
