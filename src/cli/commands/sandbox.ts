import type { Command } from 'commander'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { configure } from '../../config/configure.ts'
import type { Config } from '../../config/load-config.ts'
import { kindOfFault, type Log } from '../../redaction/log.ts'
import { openSandbox, UnservedSandboxError, type OpenSandbox } from '../../sandbox/open.ts'
import { serve } from '../../serve.ts'
import { isLibraryFault } from '../../storage/library-fault.ts'
import type { CliContext } from '../context.ts'
import { configOf, sandboxStamp, withoutBackends } from '../sandbox-config.ts'
import { sandboxFolder } from '../sandbox-folder.ts'
import { addBackendCommands } from './sandbox-backend.ts'
import { addFaultCommands, faultOption, faultTable } from './sandbox-faults.ts'
import { greetPerson, logFor, serveExitCode } from './serve.ts'

interface SandboxFlags {
  ephemeral?: boolean
  empty?: boolean
  dataFolder?: string
  config?: string
  agent?: string
  identity?: string
  fault?: string[]
}

/** Adds `sandbox`: both backends and the router in one process, nothing else needed. */
export function addSandboxCommand(program: Command, context: CliContext): void {
  const sandbox = program
    .command('sandbox')
    .description(
      'serve MCP on stdio against an embedded Hubu and Gongbu; the money is fictional, and all clients share it',
    )
    .option('--ephemeral', 'keep everything in a temporary folder that is gone at the end')
    .option('--empty', 'begin without the ready-made human, agent, policy and budget')
    .option('--data-folder <path>', 'where the sandbox keeps its state (default: your data folder)')
    .option('--config <path>', 'read this config file, as serve does')
    .option('--agent <name>', 'serve this agent of the config file, as serve does')
    .option(
      '--identity <mode>',
      'who names spends: guarded (default: the router, where the client does not), harness, replace (always the router)',
    )
    .addOption(faultOption())
    .addHelpText(
      'after',
      `
Examples:
  hubu-unified-mcp sandbox --ephemeral
  claude mcp add hubu-sandbox -- hubu-unified-mcp sandbox
  codex mcp add hubu-sandbox -- hubu-unified-mcp sandbox

Protected tools stay off unless HUBU_MCP_TRUST_CLIENT_APPROVAL=1 is set and your client asks before them.

Faults for --fault and for \`sandbox faults set\`, which changes them while the sandbox runs:
${faultTable()}`,
    )
    .action(async (flags: SandboxFlags) => context.setExitCode(await sandboxCommand(flags, context)))
  addBackendCommands(sandbox, context)
  addFaultCommands(sandbox, context)
}

async function sandboxCommand(flags: SandboxFlags, { wire: process, place }: CliContext): Promise<number> {
  const settings = await configure(withoutBackends(place), flags, { isSandbox: true })
  const folder = flags.ephemeral
    ? mkdtempSync(path.join(tmpdir(), 'hubu-unified-mcp-sandbox-'))
    : sandboxFolder(flags.dataFolder, place)
  try {
    return await serveSandbox(folder, flags, settings, process)
  } finally {
    if (flags.ephemeral) rmSync(folder, { recursive: true, force: true })
  }
}

async function serveSandbox(
  folder: string,
  flags: SandboxFlags,
  settings: Config,
  process: NodeJS.Process,
): Promise<number> {
  const options = { folder, stamp: sandboxStamp, isSeeded: !flags.empty, faults: flags.fault }
  let log: Log | undefined
  const onTrouble = () => void log?.warn('Nobody serves the sandbox, and this process could not; it tries again.')
  const sandbox = await openSandbox({ ...options, onTrouble }).catch((error: unknown) => {
    throw unusableFolder(folder, error) ?? error
  })
  const config = configOf(sandbox, folder, settings)
  const opened = (log = logFor(config, process))
  greetPerson(process)
  const text = introduction(sandbox, flags.fault)
  if (process.stderr.isTTY || text.isUrgent) process.stderr.write(text.words)
  let reason: Awaited<ReturnType<typeof serve>>
  try {
    reason = await serve({
      config,
      stamp: sandboxStamp,
      serverName: 'hubu-unified-mcp-sandbox',
      streams: { stdin: process.stdin, stdout: process.stdout },
      signals: process,
      parentId: () => process.ppid,
      exitNow: () => process.exit(1),
      report: (fault) => opened.error(`The router failed on a request (${kindOfFault(fault)}).`),
      log: opened,
    })
  } finally {
    await sandbox.close()
  }
  return serveExitCode(reason, process)
}

/** What is said of a folder that cannot be used; undefined for any other fault. */
function unusableFolder(folder: string, error: unknown): ConfigError | undefined {
  if (error instanceof UnservedSandboxError)
    return new ConfigError(
      `another process holds the sandbox in ${folder} and does not serve it; end that client, or name another folder with --data-folder`,
    )
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || isLibraryFault(error)) return undefined
  return new ConfigError(
    `the sandbox cannot keep its state in ${folder} (${code}); name another folder with --data-folder`,
  )
}

/** What a person is told at the start; urgent is what nobody would find out otherwise. */
function introduction({ role }: OpenSandbox, faults: readonly string[] = []): { words: string; isUrgent: boolean } {
  const failing = faults.length === 0 ? '' : `Made to fail: ${faults.join(', ')}.\n`
  const money = `hubu-unified-mcp sandbox: fictional money, embedded Hubu and Gongbu. Speak MCP on stdin; end with Ctrl-D.\n${failing}`
  if (role.kind === 'joined') {
    if (role.productVersion !== sandboxStamp.productVersion)
      return { words: anotherRelease(role.productVersion), isUrgent: true }
    return {
      words: `${money}It runs already in another process; this one shares its money and its approvals.\n`,
      isUrgent: false,
    }
  }
  const { seeded } = role
  if (seeded === null) return { words: money, isUrgent: false }
  const ready =
    `Ready to spend: agent ${seeded.agentId}, account ${seeded.accountId}, budget ${seeded.budgetId} of 50 USD. ` +
    'Up to 1 USD is allowed, up to 10 USD needs a human, more is denied.\n'
  return { words: money + ready, isUrgent: false }
}

const anotherRelease = (version: string): string =>
  `hubu-unified-mcp: the sandbox is served by a process of release ${version}, so this one (${sandboxStamp.productVersion}) may not buy yet. ` +
  'It takes over as soon as that client ends; nothing else is needed.\n'
