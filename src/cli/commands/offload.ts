import type { Command } from 'commander'
import type { SyncOptions } from '../../client-configs/sync/services.ts'
import { environmentOf, streamsOf, syncServices } from '../client-setup.ts'
import type { CliContext } from '../context.ts'

type OffloadFlags = Pick<SyncOptions, 'write' | 'json' | 'quiet'> & { config?: string }

/** Adds `offload`: removes copies of servers that an agent reaches through our entry anyway. */
export function addOffloadCommand(program: Command, context: CliContext): void {
  program
    .command('offload [agents...]')
    .description('remove direct copies of servers, written by sync, that agents reach through the gateway')
    .option('--write', 'write the changes that are otherwise only shown')
    .option('--config <path>', 'the configuration file')
    .option('--json', 'print JSON')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp offload\n  hubu-unified-mcp offload tiny --write')
    .action(async (agents: string[], flags: OffloadFlags) => {
      const { runOffload } = await import('../../client-configs/sync/command.ts')
      const services = await syncServices(context, flags)
      context.setExitCode(await runOffload({ ...flags, agents }, streamsOf(context), environmentOf(context), services))
    })
}
