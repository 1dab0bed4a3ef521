import type { Command } from 'commander'
import { environmentOf, streamsOf, syncServices } from '../client-setup.ts'
import type { CliContext } from '../context.ts'

interface AgentsFlags {
  config?: string
  json?: boolean
}

/** Adds `agents`: which kinds of clients there are, and which of them the configuration knows. */
export function addAgentsCommand(program: Command, context: CliContext): void {
  program
    .command('agents')
    .description('list every kind of client: configured, available or not installed')
    .option('--config <path>', 'the configuration file')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  hubu-unified-mcp agents\n  hubu-unified-mcp agents --config gateway.yaml --json',
    )
    .action(async (flags: AgentsFlags) => {
      const { runAgents } = await import('../../client-configs/sync/command.ts')
      const services = await syncServices(context, flags)
      context.setExitCode(await runAgents(flags, streamsOf(context), environmentOf(context), services))
    })
}
