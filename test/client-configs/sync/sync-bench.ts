// A temporary machine with a configuration of agents, on which `sync` and its neighbours run without a process.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type Environment } from '../../../src/client-configs/environment.ts'
import { type WriteStep } from '../../../src/documents/replace-file.ts'
import { type Streams } from '../../../src/client-configs/output.ts'
import { runAgents, runFromAgents, runOffload, runSync } from '../../../src/client-configs/sync/command.ts'
import { type SyncOptions, type SyncServices } from '../../../src/client-configs/sync/services.ts'
import { type ConfiguredServer, type SyncConfig } from '../../../src/client-configs/sync/desired.ts'
import { openSyncState } from '../../../src/client-configs/sync/sync-state.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { approvalLists } from '../../../src/client-configs/entry/approval-lists.ts'
import { bundlePath, contractSurface, nodePath, type Outcome, surroundings } from '../workbench.ts'

export const inert = (more: Partial<ConfiguredServer> = {}): ConfiguredServer => ({
  command: 'true',
  enabled: true,
  ...more,
})
export const remote = (more: Partial<ConfiguredServer> = {}): ConfiguredServer => ({
  url: 'http://127.0.0.1:9/mcp',
  enabled: true,
  ...more,
})

/** The result objects of `--json`. */
export interface Result {
  plan_id: string
  agent: string
  path: string
  changes: { server: string; action: string; detail?: string }[]
  backup?: string
  applied: boolean
  error?: string
  skipped?: string
  notes?: string[]
}

type Agents = Record<string, Partial<SyncConfig['agents'][string]>>

export function syncBench() {
  const folder = tempFolder()
  const home = folder.file('home')
  mkdirSync(home)
  const environment: Environment = {
    home,
    cwd: folder.path,
    env: {},
    platform: process.platform,
    dataFolder: folder.file('data'),
  }
  const configFile = folder.file('config.yaml')
  // A local Hubu, unless a test takes it away.
  const token = path.join(home, '.hubu', 'hubu.auth-token')
  mkdirSync(path.dirname(token))
  writeFileSync(token, 'hubu_canary-in-file\n', { mode: 0o600 })
  let config: SyncConfig = { servers: {}, agents: {} }
  // Two runs may fall into one second; a run never goes back in time.
  const clock = { now: Date.UTC(2026, 0, 2, 3, 4, 5) }

  const run = async (
    command: (
      options: SyncOptions,
      streams: Streams,
      environment: Environment,
      services: SyncServices & { configFile: string },
    ) => Promise<number>,
    options: SyncOptions,
    onStep?: (step: WriteStep, file: string) => void,
  ): Promise<Outcome & { results: Result[] }> => {
    let out = ''
    let err = ''
    const streams = {
      stdin: Readable.from([]),
      stdout: { write: (text: string) => (out += text) },
      stderr: { write: (text: string) => (err += text) },
      isTTY: false,
    }
    const program = {
      nodePath,
      bundlePath,
      packageName: 'hubu-unified-mcp',
      version: '1.2.3',
      temporaryFolder: '/nowhere/tmp',
    }
    const now = new Date(clock.now++)
    const approvals = approvalLists(contractSurface)
    const code = await command(options, streams, environment, {
      ...{ program, config, configFile, now, onStep, ...surroundings },
      approvalLists: () => approvals,
    })
    const results =
      options.json === true && out.startsWith('{') ? ((JSON.parse(out) as { results?: Result[] }).results ?? []) : []
    return { code, out, err, results }
  }

  return {
    ...folder,
    home,
    token,
    environment,
    configFile,
    clock,
    state: openSyncState(environment.dataFolder),
    /** Sets the configuration; an agent is of kind claude with a file of its name, unless it says otherwise. */
    configure(servers: SyncConfig['servers'], agents: Agents) {
      const full = Object.entries(agents).map(([name, agent]) => [
        name,
        { type: 'claude', path: folder.file(`${name}.json`), ...agent },
      ])
      config = { servers, agents: Object.fromEntries(full) as SyncConfig['agents'] }
    },
    sync: (options: SyncOptions = {}, onStep?: (step: WriteStep, file: string) => void) =>
      run(runSync, { json: true, ...options }, onStep),
    offload: (options: SyncOptions = {}) => run(runOffload, { json: true, ...options }),
    agents: (options: SyncOptions = {}) => run(runAgents, options),
    fromAgents: (options: SyncOptions = {}) => run(runFromAgents, options),
    put: (name: string, content: unknown): void => {
      mkdirSync(path.dirname(folder.file(name)), { recursive: true })
      writeFileSync(folder.file(name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
    },
    read: (name: string): string => readFileSync(folder.file(name), 'utf8'),
    json: (name: string) =>
      JSON.parse(readFileSync(folder.file(name), 'utf8')) as Record<string, Record<string, Record<string, unknown>>>,
    backups: (name: string): string[] =>
      readdirSync(path.dirname(folder.file(name)))
        .filter((each) => each.startsWith(`${path.basename(name)}.bak-`))
        .toSorted(),
  }
}
