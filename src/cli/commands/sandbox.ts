import type { Command } from 'commander'
import path from 'node:path'
import { buildStamp } from '../../config/build-stamp.ts'
import { loadConfig } from '../../config/load-config.ts'
import { environmentVariables } from '../../config/environment.ts'
import { dataFolder } from '../../config/paths.ts'
import { Secret } from '../../redaction/secret.ts'
import { claimDataFolder, claimTemporaryFolder } from '../../sandbox/data-folder.ts'
import { startSandbox, type RunningSandbox } from '../../sandbox/start.ts'
import { serve } from '../../serve.ts'
import type { CliContext } from '../context.ts'
import { addBackendCommands } from './sandbox-backend.ts'
import { exitCodeOf } from './serve.ts'

interface SandboxFlags {
  ephemeral?: boolean
  empty?: boolean
  dataFolder?: string
}

/** The stamp of all three parts of a sandbox; its commit says that it is no release. */
const sandboxStamp = { productVersion: buildStamp.productVersion, sourceCommit: '0'.repeat(40) }

/** Adds `sandbox`: both backends and the router in one process, nothing else needed (DESIGN 4). */
export function addSandboxCommand(program: Command, context: CliContext): void {
  const sandbox = program
    .command('sandbox')
    .description('serve MCP on stdio against an embedded Hubu and Gongbu; the money is fictional')
    .option('--ephemeral', 'keep everything in a temporary folder that is gone at the end')
    .option('--empty', 'begin without the ready-made human, agent, policy and budget')
    .option('--data-folder <path>', 'where the sandbox keeps its state (default: your data folder)')
    .addHelpText(
      'after',
      `
As an MCP server:
  claude mcp add hubu-sandbox -- hubu-unified-mcp sandbox
  codex mcp add hubu-sandbox -- hubu-unified-mcp sandbox

Protected tools stay off unless HUBU_MCP_TRUST_CLIENT_APPROVAL=1 is set and your client asks before them.`,
    )
    .action(async (flags: SandboxFlags) => context.setExitCode(await sandboxCommand(flags, context)))
  addBackendCommands(sandbox, context)
}

async function sandboxCommand(flags: SandboxFlags, { process, place }: CliContext): Promise<number> {
  const folder = flags.ephemeral
    ? claimTemporaryFolder()
    : claimDataFolder(path.resolve(flags.dataFolder ?? path.join(dataFolder(place), 'sandbox')))
  const sandbox = await startSandbox({ folder, stamp: sandboxStamp, isSeeded: !flags.empty })
  if (process.stderr.isTTY) process.stderr.write(introduction(sandbox))
  try {
    const reason = await serve({
      config: configOf(sandbox, process.env),
      stamp: sandboxStamp,
      serverName: 'hubu-unified-mcp-sandbox',
      streams: { stdin: process.stdin, stdout: process.stdout },
      signals: process,
      exitNow: () => process.exit(1),
      report: () => {},
    })
    return exitCodeOf(reason, process.stderr)
  } finally {
    await sandbox.close()
  }
}

/** The environment's settings, with the sandbox in place of real backends and their credentials. */
function configOf(sandbox: RunningSandbox, env: NodeJS.ProcessEnv): ReturnType<typeof loadConfig> {
  const { pollInterval, tick, trustClientApproval } = environmentVariables
  const kept = Object.fromEntries([pollInterval, tick, trustClientApproval].map((name) => [name, env[name]]))
  return {
    ...loadConfig(kept),
    hubu: { endpoint: new URL(sandbox.hubu.url), bearer: new Secret(sandbox.hubu.token) },
    gongbu: { endpoint: new URL(sandbox.gongbu.url), bearer: new Secret(sandbox.gongbu.token) },
    statePath: sandbox.registryPath,
    reconciliation: { direct: new Secret(sandbox.hubu.reconciliationToken), file: '' },
  }
}

function introduction({ seeded }: RunningSandbox): string {
  const money =
    'hubu-unified-mcp sandbox: fictional money, embedded Hubu and Gongbu. Speak MCP on stdin; end with Ctrl-D.\n'
  if (seeded === null) return money
  return (
    `${money}Ready to spend: agent ${seeded.agentId}, account ${seeded.accountId}, budget ${seeded.budgetId} of 50 USD. ` +
    'Up to 1 USD is allowed, up to 10 USD needs a human, more is denied.\n'
  )
}
