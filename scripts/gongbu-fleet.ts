// Starts our Gongbu once for each profile of a gongbu-diff check and writes its fleet file; stops when asked to.
//   npx tsx scripts/gongbu-fleet.ts CHECK_FOLDER FLEET.json
// Then, elsewhere: node CHECK_FOLDER/run.mjs --fleet FLEET.json --out ours.json
// Every server is a process of its own, so that it can be killed like one.
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { scopeOf } from '../src/sandbox/gongbu/executions/scope.ts'
import { runGongbuFromEnvironment } from '../src/sandbox/gongbu/standalone.ts'
import { startHubu } from '../src/sandbox/hubu/server.ts'
import { fleetLeases, fleetProfiles, sandboxProfiles, type Profile } from './gongbu-fleet-profiles.ts'

const self = fileURLToPath(import.meta.url)
const callerToken = 'fleet-caller-token'
const hubuToken = 'fleet-hubu-token'

if (process.argv[2] === '--serve') {
  const running = await runGongbuFromEnvironment(process.env, process.stderr)
  process.on('SIGTERM', () => void running.close().then(() => process.exit(0)))
  process.send?.({ url: running.url })
} else {
  await main(process.argv[2], process.argv[3])
}

async function main(check: string | undefined, fleetFile: string | undefined): Promise<void> {
  if (check === undefined || fleetFile === undefined) {
    process.stderr.write('usage: gongbu-fleet CHECK_FOLDER FLEET.json\n')
    process.exitCode = 2
    return
  }
  const root = mkdtempSync(path.join(tmpdir(), 'gongbu-fleet-'))
  const servers: Server[] = []
  const fleet: Record<string, unknown> = {}
  for (const [name, profile] of Object.entries(fleetProfiles)) {
    const scope = scopeOf(...(profile.scopeOf ?? ['sandbox', 'fixture']))
    const hubu = profile.embeddedHubu ? await startEmbedded(check, root) : await startStub(check, scope)
    const server = createFleetServer(path.join(root, name), profile, hubu)
    servers.push(server)
    fleet[name] = { ...(await server.start()), ...profile.entry, hubu, ctl: await startControl(server) }
  }
  for (const [name, profile] of Object.entries(sandboxProfiles)) {
    const server = createFleetServer(path.join(root, name), profile)
    servers.push(server)
    fleet[name] = { lazy: true, ...profile.entry, ctl: await startControl(server) }
  }
  writeFileSync(fleetFile, `${JSON.stringify(fleet, null, 1)}\n`)
  process.stdout.write(`${Object.keys(fleet).length} profiles in ${fleetFile}\n`)
  const end = () => {
    for (const server of servers) server.kill()
    rmSync(root, { recursive: true, force: true })
    process.exit(0)
  }
  process.on('SIGINT', end).on('SIGTERM', end)
}

/** The scripted Hubu of the check, one for each profile. */
async function startStub(check: string, scope: unknown): Promise<{ url: string; token: string }> {
  const stub = (await import(pathToFileURL(path.join(check, 'lib/hubu-stub.mjs')).href)) as {
    startHubuStub(options: { token: string; scope: unknown }): Promise<{ url: string }>
  }
  return { url: (await stub.startHubuStub({ token: hubuToken, scope })).url, token: hubuToken }
}

/** Our own Hubu with one human, one agent, a policy and a budget. */
async function startEmbedded(check: string, root: string): Promise<{ url: string; token: string }> {
  const driver = (await import(pathToFileURL(path.join(check, 'lib/real-hubu.mjs')).href)) as {
    prepareOwner(url: string, token: string, owner: { name: string }): Promise<Record<string, string>>
  }
  const { url } = await startHubu({
    databasePath: path.join(root, 'hubu.sqlite3'),
    stamp: { productVersion: '0.2.0', sourceCommit: 'unknown' },
    tokens: { api: hubuToken, approval: 'fleet-approval-token', reconciliation: 'fleet-reconciliation-token' },
    leases: fleetLeases,
  })
  return { url, token: hubuToken, ...(await driver.prepareOwner(url, hubuToken, { name: 'fleet' })) }
}

interface Server {
  start(variant?: string): Promise<{ base: string; token: string; target: string }>
  stop(): Promise<void>
  kill(): void
  alter(executionId: string, how: string): void
}

/** One Gongbu process on a folder and a port of its own. */
function createFleetServer(folder: string, profile: Profile, hubu?: { url: string; token: string }): Server {
  let child: ChildProcess | undefined
  let port = '0'
  const ended = (one: ChildProcess) =>
    new Promise<void>((resolve) =>
      one.exitCode === null && one.signalCode === null ? one.once('exit', () => resolve()) : resolve(),
    )
  return {
    async start(variant = 'default') {
      // Prompts are only text to the check.
      const settings = { promptMarkers: false, ...profile.settings, ...profile.variants?.[variant] }
      const fresh = spawn(process.execPath, ['--import', 'tsx', self, '--serve'], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          ...process.env,
          GONGBU_SANDBOX_FOLDER: folder,
          GONGBU_SANDBOX_PORT: port,
          GONGBU_SANDBOX_TOKEN: callerToken,
          GONGBU_SANDBOX_SETTINGS: JSON.stringify(settings),
          ...(hubu === undefined ? {} : { GONGBU_SANDBOX_HUBU_URL: hubu.url, GONGBU_SANDBOX_HUBU_TOKEN: hubu.token }),
        },
      })
      child = fresh
      const { url } = await new Promise<{ url: string }>((resolve, reject) => {
        fresh.once('message', (message) => resolve(message as { url: string }))
        fresh.once('exit', () => reject(new Error('a server of the fleet did not start')))
      })
      port = new URL(url).port
      return { base: url, token: callerToken, target: profile.entry.target }
    },
    async stop() {
      child?.kill('SIGTERM')
      if (child) await ended(child)
    },
    kill: () => void child?.kill('SIGKILL'),
    alter(executionId, how) {
      const files = path.join(folder, 'artifacts/executions', executionId)
      const file = path.join(files, readdirSync(files)[0] ?? '')
      const bytes = readFileSync(file)
      if (how === 'remove') rmSync(file)
      else if (how === 'truncate') truncateSync(file, bytes.length - 1)
      else writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]))
    },
  }
}

/** The control URL of the check's README. */
async function startControl(server: Server): Promise<string> {
  const actions: Record<string, (body: Record<string, string>) => unknown> = {
    '/restart': async ({ variant }) => {
      await server.stop()
      return server.start(variant)
    },
    '/ensure': () => server.start(),
    '/rest': () => server.stop(),
    '/kill': () => server.kill(),
    '/alter': ({ execution_id: executionId, how }) => server.alter(executionId ?? '', how ?? ''),
  }
  const control = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, string>
      const result = await actions[request.url ?? '']?.(body)
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(result ?? {}))
    })().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(control.address() as AddressInfo).port}`
}
