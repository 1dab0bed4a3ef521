// Foreign clients against the built bin: the inspector's command line and the official conformance suite. They are fetched from
// npm into a cache, since they need a newer Node.js than the product does. `npm run clients`; exit code 1 for anything that the
// list of expected failures does not say, and for entries of that list which have become stale.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildInto } from './build.ts'
import { startBridge } from './clients/bridge.ts'
import { runConformance } from './clients/conformance.ts'
import { compare, type ExpectedFailures } from './clients/expectations.ts'
import { fetchClients } from './clients/fetch-clients.ts'
import { runInspector } from './clients/inspector.ts'
import type { ClientResult } from './clients/result.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const expectedFile = path.join(root, 'test/clients/expected-failures.json')

async function main(): Promise<number> {
  const clients = await fetchClients(path.join(root, 'node_modules/.cache/clients'))
  const folder = mkdtempSync(path.join(root, 'node_modules/.cache/clients/run-'))
  try {
    await buildInto(folder, { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) })
    const bin = path.join(folder, 'main.js')
    const results = [...(await inspect(clients, bin)), ...(await conform(clients, bin, folder))]
    return report(results)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function inspect(clients: Awaited<ReturnType<typeof fetchClients>>, bin: string): Promise<ClientResult[]> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'hubu-clients-'))
  try {
    return await runInspector(clients, [process.execPath, bin, 'sandbox', '--data-folder', dataFolder])
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function conform(
  clients: Awaited<ReturnType<typeof fetchClients>>,
  bin: string,
  folder: string,
): Promise<ClientResult[]> {
  await using bridge = await startBridge({
    command: process.execPath,
    args: [bin, 'sandbox', '--ephemeral'],
    env: { PATH: process.env.PATH ?? '' },
  })
  return await runConformance(clients, bridge.url, path.join(folder, 'conformance'))
}

function report(results: readonly ClientResult[]): number {
  const { expected } = JSON.parse(readFileSync(expectedFile, 'utf8')) as { expected: ExpectedFailures }
  const verdict = compare(results, expected)
  for (const { client, scenario, failures } of results) {
    const reason = expected[client]?.[scenario]?.reason
    const mark = failures.length === 0 ? 'ok' : reason === undefined ? 'FAILED' : 'expected'
    process.stdout.write(
      `${mark.padEnd(9)} ${client.padEnd(12)} ${scenario}${reason === undefined ? '' : `: ${reason}`}\n`,
    )
  }
  for (const complaint of verdict) process.stdout.write(`FAILED    ${complaint}\n`)
  const passed = results.filter(({ failures }) => failures.length === 0).length
  process.stdout.write(
    `${results.length} scenes: ${passed} passed, ${results.length - passed} did not; ${verdict.length} surprises\n`,
  )
  return verdict.length === 0 ? 0 : 1
}

process.exitCode = await main()
