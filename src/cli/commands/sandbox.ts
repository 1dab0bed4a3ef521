import type { Command } from 'commander'
import path from 'node:path'
import { buildStamp } from '../../config/build-stamp.ts'
import { ConfigError } from '../../config/config-error.ts'
import { configure } from '../../config/configure.ts'
import type { Config } from '../../config/load-config.ts'
import { environmentVariables } from '../../config/environment.ts'
import type { Place } from '../../config/paths.ts'
import { kindOfFault } from '../../redaction/log.ts'
import { Secret } from '../../redaction/secret.ts'
import { claimDataFolder, claimTemporaryFolder, type ClaimedFolder } from '../../sandbox/data-folder.ts'
import { startSandbox, type RunningSandbox } from '../../sandbox/start.ts'
import { serve } from '../../serve.ts'
import { isLibraryFault } from '../../storage/library-fault.ts'
import type { CliContext } from '../context.ts'
import { sandboxFolder } from '../sandbox-folder.ts'
import { addBackendCommands } from './sandbox-backend.ts'
import { addFaultCommands, faultOption, faultTable } from './sandbox-faults.ts'
import { serveExitCode, logFor } from './serve.ts'

interface SandboxFlags {
  ephemeral?: boolean
  empty?: boolean
  dataFolder?: string
  config?: string
  agent?: string
  identity?: string
  fault?: string[]
}

/** The stamp of all three parts of a sandbox; its commit says that it is no release. */
const sandboxStamp = { productVersion: buildStamp.productVersion, sourceCommit: '0'.repeat(40) }

/** Adds `sandbox`: both backends and the router in one process, nothing else needed. */
export function addSandboxCommand(program: Command, context: CliContext): void {
  const sandbox = program
    .command('sandbox')
    .description('serve MCP on stdio against an embedded Hubu and Gongbu; the money is fictional')
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
  const folder = flags.ephemeral ? claimTemporaryFolder() : claimed(sandboxFolder(flags.dataFolder, place))
  const options = { folder, stamp: sandboxStamp, isSeeded: !flags.empty, faults: flags.fault }
  const sandbox = await startSandbox(options).catch((error: unknown) => {
    folder.release()
    throw error
  })
  if (process.stderr.isTTY) process.stderr.write(introduction(sandbox, flags.fault))
  const config = configOf(sandbox, settings)
  const log = logFor(config, process)
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
      report: (fault) => log.error(`The router failed on a request (${kindOfFault(fault)}).`),
      log,
    })
  } finally {
    await sandbox.close()
  }
  return serveExitCode(reason, process)
}

/** Takes the folder. Throws ConfigError, which names it and the setting, when it cannot be made or written to. */
function claimed(folder: string): ClaimedFolder {
  try {
    return claimDataFolder(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || isLibraryFault(error)) throw error
    throw new ConfigError(
      `the sandbox cannot keep its state in ${folder} (${code}); name another folder with --data-folder`,
    )
  }
}

/** The environment without real backends, their credentials and the real registry. */
function withoutBackends(place: Place): Place {
  const names = environmentVariables
  const real = [
    ...[names.hubuEndpoint, names.hubuToken, names.hubuTokenFile, names.statePath],
    ...[names.gongbuEndpoint, names.gongbuToken, names.gongbuTokenFile],
    ...[names.reconciliationToken, names.reconciliationTokenFile],
  ] as string[]
  const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => !real.includes(name)))
  return { ...place, env }
}

/** The settings, with the sandbox in the place of backends; everything it keeps lies in its folder. */
function configOf(sandbox: RunningSandbox, settings: Config): Config {
  return {
    ...settings,
    hubu: { endpoint: new URL(sandbox.hubu.url), bearer: new Secret(sandbox.hubu.token) },
    gongbu: { endpoint: new URL(sandbox.gongbu.url), bearer: new Secret(sandbox.gongbu.token) },
    statePath: sandbox.registryPath,
    reconciliation: { direct: new Secret(sandbox.hubu.reconciliationToken), file: '' },
    results: { ...settings.results, path: path.join(path.dirname(sandbox.registryPath), 'results.sqlite3') },
  }
}

function introduction({ seeded }: RunningSandbox, faults: readonly string[] = []): string {
  const failing = faults.length === 0 ? '' : `Made to fail: ${faults.join(', ')}.\n`
  const money = `hubu-unified-mcp sandbox: fictional money, embedded Hubu and Gongbu. Speak MCP on stdin; end with Ctrl-D.\n${failing}`
  if (seeded === null) return money
  return (
    `${money}Ready to spend: agent ${seeded.agentId}, account ${seeded.accountId}, budget ${seeded.budgetId} of 50 USD. ` +
    'Up to 1 USD is allowed, up to 10 USD needs a human, more is denied.\n'
  )
}
