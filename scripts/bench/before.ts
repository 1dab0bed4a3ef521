// The former commit and the present sources side by side: both are built, both serve the same stub backends, and each sample of
// one is taken beside one of the other, so that whatever else the machine does falls on both.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { median, notWorse, timed, type BenchRow } from './row.ts'
import { routerEnvironment, startRouter, type RouterProcess } from './router-process.ts'
import { authorize, call, status } from './spend.ts'
import { startStubs } from './stub-process.ts'

const rounds = 25
const parallel = 16

/** What is measured in each round: milliseconds of either router, as the median of `times` samples. */
interface Measure {
  name: string
  /** How much slower than before it may be. */
  bound: number
  times: number
  work(router: RouterProcess, n: number): Promise<unknown>
}

const measures: Measure[] = [
  { name: 'one routed read', bound: 1, times: 60, work: (router) => call(router, 'hubu_list_budgets', {}) },
  {
    name: '16 reads of 20 ms, once',
    bound: 1,
    times: 3,
    work: (router) => together(() => call(router, 'hubu_list_ledger', {})),
  },
  { name: 'one spend', bound: 1.05, times: 20, work: (router, n) => authorize(router, `one-${n}`) },
  { name: 'the same, delivered again', bound: 1.05, times: 20, work: (router, n) => authorize(router, `one-${n}`) },
  {
    name: '16 spends at once',
    bound: 1.05,
    times: 3,
    work: (router, n) => together((at) => authorize(router, `many-${n}-${at}`)),
  },
  { name: 'the status of a spend', bound: 1.05, times: 30, work: (router) => status(router) },
]

/** Measures two bins against each other; a row is missed when it is worse than its bound by more than the spread of this run. */
export async function benchBefore(before: string, after: string): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-bench-'))
  const stubs = await startStubs()
  const bins = { before, after }
  const envOf = (name: string) =>
    routerEnvironment(stubs.hubuUrl, stubs.gongbuUrl, path.join(folder, `${name}.sqlite3`))
  const routers: RouterProcess[] = []
  try {
    const rows = [sizeRow(before, after), await startRow(bins, envOf('starts'))]
    const pair = { before: await startRouter(before, envOf('before')), after: await startRouter(after, envOf('after')) }
    routers.push(pair.before, pair.after)
    for (const measure of measures) rows.push(await compare(measure, pair))
    return rows
  } finally {
    await Promise.all(routers.map((router) => router.end()))
    await stubs.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startRow(bins: Record<Side, string>, env: Record<string, string>): Promise<BenchRow> {
  return inTurn({ name: 'cold start to the initialize reply', bound: 1, times: 2 }, async (side) => {
    const router = await startRouter(bins[side], env)
    await router.end()
    return router.startedMs
  })
}

function compare(measure: Measure, pair: Record<Side, RouterProcess>): Promise<BenchRow> {
  return inTurn(measure, (side, n) => timed(() => measure.work(pair[side], n)))
}

type Side = 'before' | 'after'

/** Rounds of both sides, one sample of each beside one of the other, each time the other way around. */
async function inTurn(
  { name, bound, times }: Omit<Measure, 'work'>,
  sample: (side: Side, n: number) => Promise<number>,
): Promise<BenchRow> {
  const medians: Record<Side, number[]> = { before: [], after: [] }
  for (let round = 0; round < rounds; round++) {
    const found: Record<Side, number[]> = { before: [], after: [] }
    for (let n = round * times; n < (round + 1) * times; n++)
      for (const side of n % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const))
        found[side].push(await sample(side, n))
    for (const side of ['before', 'after'] as const) medians[side].push(median(found[side]))
  }
  return notWorse(bound, name, medians.before, medians.after)
}

function sizeRow(before: string, after: string): BenchRow {
  const sizeOf = (bin: string) => statSync(path.join(path.dirname(bin), 'serve.cjs')).size / 1024
  const [floor, value] = [sizeOf(before), sizeOf(after)]
  return { name: 'serve.cjs', value, floor, unit: 'KiB', ratio: value / floor, target: 'for information', isMet: true }
}

const together = (work: (at: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: parallel }, (_, at) => work(at)))
