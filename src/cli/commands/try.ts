import type { Command } from 'commander'
import type { CliContext } from '../context.ts'
import type { TryFlags } from './try-run.ts'

/** Adds `try`: from an installed client to the first picture. */
export function addTryCommand(program: Command, context: CliContext): void {
  program
    .command('try')
    .description('set the sandbox up in an MCP client that is installed here, start it once, and say what to type')
    .option('--client <name>', 'this client, instead of choosing among those that are found')
    .option('--yes', 'do not ask; for scripts, with --client')
    .option('--undo', 'take it back: each file gets its former bytes')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The money is fictional, and all clients share one sandbox. A backup of the client's file is made.

Examples:
  hubu-unified-mcp try
  hubu-unified-mcp try --client codex --yes
  hubu-unified-mcp try --undo`,
    )
    .action(async (flags: TryFlags) => {
      const { tryCommand } = await import('./try-run.ts')
      context.setExitCode(await tryCommand(flags, context))
    })
}
