// How well and how fast tools are found: quality on our own golden requests, and time over made-up catalogs of growing size.
import { buildIndex, buildIndexInSlices } from '../../src/search/build-index.ts'
import type { ToolDocument } from '../../src/search/document.ts'
import { resolve } from '../../src/search/resolve.ts'
import { search } from '../../src/search/search.ts'
import type { SearchIndex } from '../../src/search/search-index.ts'
import { goldenDocuments, goldenQueries, type GoldenQuery } from '../../test/search/golden.ts'
import { madeUpTools, madeUpQueries } from './made-up-tools.ts'
import { atMost, median, type BenchRow } from './row.ts'

const small = 1000
const large = 10_000
const rounds = 3
/** The longest that the process may be blocked while an index is built. */
const longestSliceMs = 50

/** Prints the quality by kind of request and returns the times beside their targets. */
export async function benchSearch(): Promise<BenchRow[]> {
  for (const line of qualityLines()) process.stdout.write(`${line}\n`)
  const smallTools = madeUpTools(small)
  const largeTools = madeUpTools(large)
  const builds = Array.from({ length: rounds }, () => ({
    small: processorMs(() => void buildIndex(smallTools)),
    large: processorMs(() => void buildIndex(largeTools)),
  }))
  const built = median(builds.map((build) => build.large))
  const grown = { value: built / large, floor: median(builds.map((build) => build.small)) / small }
  const smallMs = resolveMs(buildIndex(smallTools))
  const largeMs = resolveMs(buildIndex(largeTools))
  return [
    atMost(1, { name: `index build, ${large} tools`, value: built, floor: 1000, unit: 'ms' }, 'one second'),
    atMost(1.3, { name: 'index build, growth per tool', ...grown, unit: 'ms' }, `the time a tool of ${small}`),
    atMost(
      1,
      { name: 'index build, longest slice', value: await longestSlice(largeTools), floor: longestSliceMs, unit: 'ms' },
      `${longestSliceMs} ms`,
    ),
    atMost(1, { name: `resolve, ${large} tools`, value: largeMs, floor: 10, unit: 'ms' }, '10 ms'),
    atMost(large / small, { name: 'resolve, growth', value: largeMs, floor: smallMs, unit: 'ms' }, `${small} tools`),
  ]
}

/** Shares in percent: how often the first, or one of the first three, is right; and how far confidence can be trusted. */
function qualityLines(): string[] {
  const index = buildIndex(goldenDocuments())
  const fitting = goldenQueries.filter(({ expect }) => expect.length > 0)
  const unfit = goldenQueries.filter(({ expect }) => expect.length === 0)
  const placed = new Map(fitting.map((query) => [query, placeOf(index, query)]))
  const within = (queries: readonly GoldenQuery[], most: number): string =>
    percent(queries.filter((query) => (placed.get(query) ?? Infinity) <= most).length, queries.length)
  const isSure = ({ query }: GoldenQuery): boolean => resolve(index, query).kind === 'match'
  const sure = fitting.filter(isSure)
  const kinds = [...new Set(fitting.map(({ kind }) => kind))]
  const groups: [string, GoldenQuery[]][] = kinds.map((kind) => [kind, fitting.filter((query) => query.kind === kind)])
  const lines = [...groups, ['all', fitting] as const].map(
    ([name, queries]) =>
      `search ${name.padEnd(9)}${String(queries.length).padStart(4)} requests: first ${within(queries, 1)}, first three ${within(queries, 3)}`,
  )
  return [
    ...lines,
    `resolve is confident on ${percent(sure.length, fitting.length)} and then right on ${within(sure, 1)} (target 90)`,
    `resolve names a tool for ${percent(unfit.filter(isSure).length, unfit.length)} of the requests that none fits (target 5)`,
  ]
}

function placeOf(index: SearchIndex, { query, expect }: GoldenQuery): number {
  const at = search(index, query).hits.findIndex(({ id }) => expect.includes(id))
  return at < 0 ? Infinity : at + 1
}

const percent = (some: number, all: number): string => `${((100 * some) / all).toFixed(0).padStart(3)} %`

/** Processor time, so that other load on the machine does not distort it. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function resolveMs(index: SearchIndex): number {
  for (const query of madeUpQueries) resolve(index, query)
  const spent = Array.from({ length: rounds }, () =>
    processorMs(() => {
      for (const query of madeUpQueries) resolve(index, query)
    }),
  )
  return median(spent) / madeUpQueries.length
}

async function longestSlice(tools: readonly ToolDocument[]): Promise<number> {
  let longest = 0
  let before = process.cpuUsage()
  await buildIndexInSlices(tools, async () => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    await new Promise(setImmediate)
    before = process.cpuUsage()
  })
  return longest
}
