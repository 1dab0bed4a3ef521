// A temporary home in which `init` runs as a person would run it, without a process of its own.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { approvalLists, type SurfaceTools } from '../../src/client-configs/entry/approval-lists.ts'
import { type Environment } from '../../src/client-configs/environment.ts'
import { type WriteStep } from '../../src/documents/replace-file.ts'
import { type InitOptions, runInit } from '../../src/client-configs/init/command.ts'
import { type InitServices } from '../../src/client-configs/init/services.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** AUTO of U: 14 reads and 2 spend tools in catalog order, then Gongbu's and the router's. */
export const autoTools = [
  'hubu_health',
  'hubu_registration_guidance',
  'hubu_client_approval_profile',
  'hubu_list_users',
  'hubu_show_policy',
  'hubu_export_policy',
  'hubu_policy_history',
  'hubu_policy_diff',
  'hubu_show_spending_targets',
  'hubu_submit_spend',
  'hubu_authorize_spend',
  'hubu_list_agents',
  'hubu_list_budgets',
  'hubu_list_ledger',
  'hubu_get_executor_claim',
  'hubu_list_claims_requiring_reconciliation',
  'gongbu_create_execution',
  'gongbu_get_execution',
  'gongbu_list_artifacts',
  'gongbu_get_artifact',
  'hubu_unified_capabilities',
  'hubu_operation_status',
]

/** ASK of U: the twelve protected tools in catalog order. */
export const askTools = [
  'hubu_register_human',
  'hubu_register_agent',
  'hubu_add_policy',
  'hubu_apply_policy',
  'hubu_create_budget',
  'hubu_create_recurring_budget',
  'hubu_revoke_budget',
  'hubu_replace_budget',
  'hubu_set_spending_target',
  'hubu_revoke_spending_target',
  'hubu_reconcile_vendor_billed_claim',
  'hubu_reconcile_vendor_did_not_bill_claim',
]

export const metaTools = [
  'list_servers',
  'search_tools',
  'describe_tool',
  'resolve_tool',
  'call_tool',
  'get_result',
  'poll_result',
  'stats',
]

/** The contract surface with stored results, as a server without configuration shows it. */
export const contractSurface: SurfaceTools = {
  surface: 'contract',
  auto: autoTools,
  ask: askTools,
  storesResults: true,
  metaTools,
  listed: [],
}

/** What a run came to. */
export interface Outcome {
  code: number
  out: string
  err: string
}

export const bundlePath = '/opt/hubu-unified-mcp/dist/main.js'
export const nodePath = '/usr/local/bin/node'

/** The stamp of this build, and a machine on which nothing runs. */
export const surroundings: Pick<InitServices, 'registry' | 'stack'> = {
  registry: { applicationId: 0x4855424f, userVersions: [4, 5] },
  stack: {
    stamp: { productVersion: '0.2.0', sourceCommit: 'c'.repeat(40), executorContract: 'hubu-spend-executor-v4.3' },
    uid: process.getuid?.(),
    inspectRegistry: () => undefined,
    identifyProcess: () => undefined,
    probe: () => Promise.resolve({ hubu: { state: 'compatible', detail: '' } }),
  },
}

/** A home with a token file, a project, and `init` to run in it. */
export function workbench() {
  const folder = tempFolder()
  const home = folder.file('home')
  const cwd = folder.file('project')
  for (const each of [home, cwd]) mkdirSync(each, { mode: 0o700 })
  const environment: Environment = { home, cwd, env: {}, platform: process.platform, dataFolder: folder.file('data') }
  const token = folder.file('hubu.token')
  writeFileSync(token, 'hubu_canary-in-file\n', { mode: 0o600 })
  let surface = contractSurface
  let seconds = 0

  const services = (onStep?: (step: WriteStep, file: string) => void): InitServices => ({
    program: {
      nodePath,
      bundlePath,
      packageName: 'hubu-unified-mcp',
      version: '1.2.3',
      temporaryFolder: '/nowhere/tmp',
    },
    approvalLists: () => approvalLists(surface),
    ...surroundings,
    now: new Date(Date.UTC(2026, 0, 2, 3, 4, seconds++)),
    onStep,
  })

  return {
    ...folder,
    home,
    cwd,
    environment,
    token,
    /** Shows another surface from now on. */
    show(tools: Partial<SurfaceTools>) {
      surface = { ...contractSurface, ...tools }
    },
    /** Runs `init` with a Hubu and its token file, unless the options say otherwise. */
    async init(options: InitOptions, more: Partial<InitServices> & { answer?: string } = {}): Promise<Outcome> {
      let out = ''
      let err = ''
      const streams = {
        stdin: Readable.from([more.answer ?? '']),
        stdout: { write: (text: string) => (out += text) },
        stderr: { write: (text: string) => (err += text) },
        isTTY: more.answer !== undefined,
      }
      const isBare = options.sandbox ?? options.stackProfile ?? options.undo
      const backend = isBare === undefined ? { hubu: 'http://127.0.0.1:8787', hubuTokenFile: token } : {}
      const { answer: _, ...given } = more
      const code = await runInit({ ...backend, ...options }, streams, environment, {
        ...services(given.onStep),
        ...given,
      })
      return { code, out, err }
    },
    /** Writes a file under the home folder, its folders included, and gives its path. */
    put(name: string, text: string, mode = 0o600): string {
      const file = path.join(home, name)
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, text, { mode })
      return file
    },
    /** The text of a file under the home folder. */
    read: (name: string): string => readFileSync(path.join(home, name), 'utf8'),
    exists: (name: string): boolean => existsSync(path.join(home, name)),
    /** Permission bits of a file or folder under the home folder, as octal text. */
    mode: (name: string): string => (statSync(path.join(home, name)).mode & 0o777).toString(8),
    /** Names in a folder under the home folder, apart from those given. */
    names: (name: string): string[] => readdirSync(path.join(home, name)).toSorted(),
  }
}
