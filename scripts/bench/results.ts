// Stored results: pages at every place and size, storing, memory and the event loop, beside keeping a result in one blob.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { relayHubuAnswer, relayObject } from '../../src/answers/relay.ts'
import { pageCapBytes } from '../../src/results/budget.ts'
import { createResults, type Results } from '../../src/results/results.ts'
import { createResultsFile, type ResultsFile } from '../../src/results/results-file.ts'
import { readBytes } from '../../src/results/stored-bytes.ts'
import type { StoredResult } from '../../src/results/statements.ts'
import { openDatabase, type SqliteDatabase } from '../../src/storage/database.ts'
import { realClock as clock } from '../../src/timing/clock.ts'
import { atLeast, atMost, median, type BenchRow } from './row.ts'

const mebibyte = 1024 * 1024
const large = 64 * mebibyte
const pages = 400
const stores = 5
const limitBytes = 4 * 1024 * mebibyte
const { random } = Math

/** Measures the store in this process, and its memory in one of its own. */
export async function benchResults(): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-bench-results-'))
  const file = path.join(folder, 'results.sqlite3')
  const results = openResults(file)
  const store = createResultsFile({ path: file, limitBytes, clock, random })
  const blobs = openBlobs(path.join(folder, 'blobs.sqlite3'))
  try {
    return [
      ...(await benchPages(results, store, blobs)),
      ...(await benchStoring(results, blobs)),
      benchMemory(path.join(folder, 'memory.sqlite3')),
    ]
  } finally {
    results.close()
    store.close()
    blobs.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function openResults(file: string): Results {
  return createResults({
    path: file,
    limitBytes,
    clock,
    random,
    budgetBytes: 32 * 1024,
    randomHex: () => randomBytes(16).toString('hex'),
    warn: (message) => process.stderr.write(`${message}\n`),
    owner: { name: 'bench', host: 'here', processId: process.pid },
    isAlive: () => true,
  })
}

const reader = { revision: '', principal: 'local' }
const origin = { server: 'bench', tool: 'bench', namespaced: 'bench__bench' }

/** A text as it comes from a decoder: one flat string. */
const textOf = (bytes: number) => Buffer.alloc(bytes, 'x').toString('latin1')

async function put(results: Results, bytes: number): Promise<string> {
  const receipt = await results.store(origin, relayObject({ content: [{ type: 'text', text: textOf(bytes) }] }), reader)
  return (receipt?.structuredContent as { callId: string }).callId
}

/** A page in the store is what is read of it: header and bytes, in one transaction. */
async function benchPages(results: Results, store: ResultsFile, blobs: SqliteDatabase): Promise<BenchRow[]> {
  const [small, big] = [await put(results, mebibyte), await put(results, large)]
  for (const [id, size] of [
    [1, mebibyte],
    [2, large],
  ] as const)
    blobs.prepare('insert into one_blob values (?, ?)').run(id, Buffer.alloc(size, 'x'))
  const ours = (callId: string, cursor: number) =>
    store.read((statements) => {
      const result = statements.find(callId, Date.now()) as StoredResult
      return readBytes(statements, result, cursor, pageCapBytes)
    })
  const slice = blobs.prepare('select length(bytes), substr(bytes, ? + 1, ?) from one_blob where id = ?')
  const places = { first: 0, middle: large / 2, last: large - pageCapBytes }
  const times = new Map<string, number[]>()
  const note = async (name: string, work: () => unknown) => {
    const begun = performance.now()
    await work()
    times.set(name, [...(times.get(name) ?? []), performance.now() - begun])
  }
  for (let n = 0; n < pages; n++) {
    await note('1 MiB', () => ours(small, ((n * 37) % 100) * pageCapBytes))
    for (const [name, cursor] of Object.entries(places)) await note(name, () => ours(big, cursor))
    if (n % 20 > 0) continue
    await note('blob of 1 MiB', () => slice.get(mebibyte / 2, pageCapBytes, 1))
    await note('blob of 64 MiB', () => slice.get(large / 2, pageCapBytes, 2))
  }
  const of = (name: string) => median(times.get(name) ?? [])
  const floor = of('1 MiB')
  return [
    ...Object.keys(places).map((name) =>
      atMost(1.3, { name: `${name} page of 64 MiB`, value: of(name), floor, unit: 'ms' }, 'a page of 1 MiB'),
    ),
    atMost(1, { name: 'a page of 64 MiB', value: of('middle'), floor: 1, unit: 'ms' }, 'a millisecond'),
    atMost(
      1,
      { name: 'the same page', value: of('middle'), floor: of('blob of 64 MiB'), unit: 'ms' },
      'the page of one blob',
    ),
    atMost(
      1,
      { name: 'a page of 1 MiB', value: floor, floor: of('blob of 1 MiB'), unit: 'ms' },
      'the page of one blob',
    ),
  ]
}

/** The best of several runs: what others do on this machine makes a run worse, never better. */
async function benchStoring(results: Results, blobs: SqliteDatabase): Promise<BenchRow[]> {
  const text = textOf(large)
  const object = relayObject({ content: [{ type: 'text', text }] })
  // Printed twice, once with indentation, a list of this length gives a result of about 64 MiB.
  const rows = Array.from({ length: 340_000 }, (_, n) => ({ n, text: text.slice(0, 60) }))
  const printed = relayHubuAnswer(JSON.stringify({ rows }))
  const best = { object: 0, printed: 0, blob: 0, longestMs: Number.POSITIVE_INFINITY }
  const rate = async (store: () => unknown) => {
    const begun = performance.now()
    await store()
    return (64 * 1000) / (performance.now() - begun)
  }
  for (let n = 0; n < stores; n++) {
    const watch = watchLoop()
    best.object = Math.max(best.object, await rate(() => results.store(origin, object, reader)))
    best.longestMs = Math.min(best.longestMs, watch.stop())
    best.printed = Math.max(best.printed, await rate(() => results.store(origin, printed, reader)))
    const blob = () => blobs.prepare('insert into one_blob values (?, ?)').run(100 + n, JSON.stringify({ text }))
    best.blob = Math.max(best.blob, await rate(blob))
  }
  return [
    atLeast(1, { name: 'storing 64 MiB', value: best.object, floor: 60, unit: 'MiB/s' }, '60 MiB/s'),
    atLeast(
      0.5,
      { name: "the same, printed from Hubu's JSON", value: best.printed, floor: 60, unit: 'MiB/s' },
      '60 MiB/s',
    ),
    atLeast(0.5, { name: 'storing 64 MiB', value: best.object, floor: best.blob, unit: 'MiB/s' }, 'one blob, synced'),
    atMost(1, { name: 'longest turn while storing', value: best.longestMs, floor: 50, unit: 'ms' }, '50 ms'),
  ]
}

/** Notes the longest time between two turns of the event loop. */
function watchLoop(): { stop(): number } {
  let longestMs = 0
  let lastMs = performance.now()
  let isOver = false
  const look = () => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return {
    stop: () => {
      isOver = true
      return longestMs
    },
  }
}

function openBlobs(file: string): SqliteDatabase {
  const database = openDatabase(file)
  database.exec('create table one_blob (id integer primary key, bytes blob not null)')
  return database
}

/** The most memory that a process holds beyond what it held before the result existed, against the result's size. */
function benchMemory(file: string): BenchRow {
  const self = fileURLToPath(import.meta.url)
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', self, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const value = Number(stdout.toString()) / mebibyte
  return atMost(2.5, { name: 'peak memory of storing 64 MiB', value, floor: 64, unit: 'MiB' }, 'the result')
}

/** Runs in a process of its own: prints the growth of its largest resident size, in bytes. */
async function storeOnce(file: string): Promise<void> {
  const results = openResults(file)
  await put(results, mebibyte)
  const before = process.memoryUsage.rss()
  await put(results, large)
  process.stdout.write(String(process.resourceUsage().maxRSS * 1024 - before))
  results.close()
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] !== undefined)
  await storeOnce(process.argv[2])
