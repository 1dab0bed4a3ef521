// Foreign programs around the built bin: `npm run clients`, or `npm run clients -- NAMES` for some of them. They are fetched from
// npm into a cache; what cannot be fetched or does not run here is skipped aloud. The inspector and the official conformance suite;
// real agents with a scripted model on loopback. Exit code 1 for anything that the list of expected failures does not say.
import { build } from 'esbuild'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildInto } from './build.ts'
import { agents } from './clients/agents/agent-list.ts'
import { driveAgent } from './clients/agents/drive.ts'
import { tryClients } from './clients/agents/try-client.ts'
import { startBridge } from './clients/bridge.ts'
import { runConformance } from './clients/conformance.ts'
import type { ExpectedFailures } from './clients/expectations.ts'
import { fetchClients } from './clients/fetch-clients.ts'
import { runInspector } from './clients/inspector.ts'
import { runUnderNodes } from './clients/nodes/run-under.ts'
import { fetchNode, nodeVersions } from './clients/npm/node.ts'
import { createReport } from './clients/report.ts'
import { checked, skipped, type ClientResult } from './clients/result.ts'
import { compareServers } from './clients/servers/compare-servers.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const expectedFile = path.join(root, 'test/clients/expected-failures.json')
const cache = path.join(root, 'node_modules/.cache/clients')

/** Where everything is, for all suites. */
interface Place {
  /** The folder of this run. */
  folder: string
  bin: string
  /** The recorder's program. */
  recorder: string
  /** A Node.js that foreign clients run on; they need a newer one than the product does. */
  node: string
  tell(result: ClientResult): void
}

const suites: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  inspector: async ({ bin, node, tell }) => {
    const fetched = fetchClients(cache, node)
    if ('reason' in fetched) return tell(skipped('inspector', 'everything', fetched.reason))
    const dataFolder = mkdtempSync(path.join(tmpdir(), 'hubu-clients-'))
    try {
      const results = await runInspector(fetched, [process.execPath, bin, 'sandbox', '--data-folder', dataFolder])
      results.forEach(tell)
    } finally {
      rmSync(dataFolder, { recursive: true, force: true })
    }
  },
  conformance: async ({ folder, bin, node, tell }) => {
    const fetched = fetchClients(cache, node)
    if ('reason' in fetched) return tell(skipped('conformance', 'everything', fetched.reason))
    const config = path.join(folder, 'conformance.yaml')
    writeFileSync(config, mounting(path.join(folder, 'fixture.mjs')))
    await using bridge = await startBridge({
      command: process.execPath,
      args: [bin, 'sandbox', '--ephemeral', '--config', config],
      env: { PATH: process.env.PATH ?? '' },
    })
    const results = await runConformance(fetched, bridge.url, path.join(folder, 'conformance'))
    results.forEach(tell)
  },
  servers: ({ bin, tell }) => compareServers({ folder: cache, bin }, tell),
  nodes: ({ folder, tell }) => runUnderNodes({ folder: cache, built: folder }, tell),
  try: ({ bin, recorder, node, tell }) =>
    tryClients(
      agents.filter(({ name }) => ['codex', 'claude', 'gemini'].includes(name)),
      { folder: cache, node, program: { bin, recorder } },
      tell,
    ),
  ...Object.fromEntries(
    agents.map((agent) => [
      agent.name,
      ({ bin, recorder, node, tell }: Place) =>
        driveAgent(agent, { folder: cache, node, program: { bin, recorder } }, tell),
    ]),
  ),
}

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !Object.hasOwn(suites, name))
  if (unknown.length > 0) {
    process.stderr.write(`No ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.\n`)
    return 2
  }
  mkdirSync(cache, { recursive: true })
  const { expected } = JSON.parse(readFileSync(expectedFile, 'utf8')) as { expected: ExpectedFailures }
  const report = createReport(expected, process.stdout)
  const folder = mkdtempSync(path.join(cache, 'run-'))
  try {
    await buildInto(folder, { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) })
    const recorder = await program(folder, 'recorder/record')
    await program(folder, 'fixture/serve')
    const place = { folder, bin: path.join(folder, 'main.js'), recorder, node: newerNode(), tell: report.tell }
    for (const name of names.length > 0 ? names : Object.keys(suites)) {
      await suites[name]?.(place).catch((error: Error) => report.tell(checked(name, 'runs to its end', error.message)))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return report.end() ? 0 : 1
}

/** Bundles a program of these scripts into the folder; its path there. */
async function program(folder: string, name: string): Promise<string> {
  const outfile = path.join(folder, `${path.dirname(name)}.mjs`)
  await build({
    entryPoints: [path.join(root, `scripts/clients/${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    // What is CommonJS in it asks for Node's own modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
  return outfile
}

/** A configuration in which the suite's own tools stand beside ours, under their own names. */
const mounting = (fixture: string): string =>
  JSON.stringify({
    response_budget: '0',
    servers: { suite: { command: process.execPath, args: [fixture], prefix: '', enabled: true } },
  })

/** Our own Node.js where it is new enough for the clients, otherwise one from npm. Without it some of them do not run. */
function newerNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const fetched = fetchNode(cache, nodeVersions[0])
  if ('node' in fetched) return fetched.node
  process.stderr.write(`${fetched.reason}\n`)
  return process.execPath
}

process.exitCode = await main(process.argv.slice(2))
