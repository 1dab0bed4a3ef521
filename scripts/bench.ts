// Measures the parts of the router beside their floors: `npm run bench`, or `npm run bench -- results` for one part;
// `npm run bench -- before [REVISION]` measures the present sources beside a former commit, which is built for it.
// The last line is the same as JSON. Exits with 1 when a target is missed.
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchBefore } from './bench/before.ts'
import { buildRevision, formerRevision } from './bench/former-build.ts'
import { benchFlooded } from './bench/flooded.ts'
import { benchHttp } from './bench/http.ts'
import { benchMounted } from './bench/mounted.ts'
import { benchResults } from './bench/results.ts'
import { benchRouter } from './bench/router.ts'
import { benchSearch } from './bench/search.ts'
import { benchLoad } from './bench/load.ts'
import type { BenchRow } from './bench/row.ts'
import { benchStamp } from './bench/stub-backends.ts'
import { buildInto } from './build.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const parts: Record<string, () => Promise<BenchRow[]>> = {
  router: () => withBin(benchRouter),
  mounted: () => withBin(benchMounted),
  flooded: () => withBin(benchFlooded),
  http: () => withBin(benchHttp),
  results: benchResults,
  search: benchSearch,
}

/** Parts that only run when they are asked for: a minute of load. */
const longParts: Record<string, () => Promise<BenchRow[]>> = { load: () => withBin(benchLoad) }

async function main(asked: string[]): Promise<number> {
  if (asked[0] === 'before')
    return report({ before: shown('before', await besideFormer(asked[1] ?? formerRevision(root))) })
  const all = { ...parts, ...longParts }
  const unknown = asked.find((name) => !Object.hasOwn(all, name))
  if (unknown !== undefined) {
    process.stderr.write(`no part is named ${unknown}; there are ${Object.keys(all).join(', ')}\n`)
    return 2
  }
  const found: Record<string, BenchRow[]> = {}
  for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
    found[name] = shown(name, await all[name]!())
  }
  return report(found)
}

function shown(name: string, rows: BenchRow[]): BenchRow[] {
  process.stdout.write(`${name}\n${rows.map(toLine).join('')}`)
  return rows
}

/** The last line, and the exit code: whether every target was met. */
function report(found: Record<string, BenchRow[]>): number {
  process.stdout.write(`${JSON.stringify(found)}\n`)
  return Object.values(found)
    .flat()
    .every(({ isMet }) => isMet)
    ? 0
    : 1
}

function toLine({ name, value, floor, unit, ratio, target, isMet, spread }: BenchRow): string {
  const figures = `${short(value)} ${unit}`.padStart(18)
  return `  ${isMet ? 'ok  ' : 'MISS'} ${name.padEnd(36)}${figures}  floor ${short(floor).padStart(8)}  x ${short(ratio).padEnd(7)} ${target}${spread === undefined ? '' : `, spread ${short(spread)}`}\n`
}

const short = (value: number) => String(Number(value.toPrecision(3)))

/** The present sources beside a revision. */
function besideFormer(revision: string): Promise<BenchRow[]> {
  return withBin(async (bin, folder) => benchBefore(await buildRevision(root, revision, folder), bin))
}

/** Builds with the stamp of the stub backends, below the repository, where better-sqlite3 is found. */
async function withBin(measure: (bin: string, folder: string) => Promise<BenchRow[]>): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(root, 'node_modules', '.bench-bin-'))
  try {
    await buildInto(path.join(folder, 'dist'), benchStamp)
    return await measure(path.join(folder, 'dist', 'main.js'), folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))
