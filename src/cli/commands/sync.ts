import type { Command } from 'commander'
import type { SyncOptions } from '../../client-configs/sync/services.ts'
import { environmentOf, streamsOf, syncServices } from '../client-setup.ts'
import type { CliContext } from '../context.ts'
import { addEntryOptions } from './init.ts'

type SyncFlags = Omit<SyncOptions, 'agents' | 'stackProfile'> & { config?: string; stackProfile?: string | true }

/** Adds `sync`: brings the files of all configured agents in line with the configuration. */
export function addSyncCommand(program: Command, context: CliContext): void {
  const sync = program
    .command('sync [agents...]')
    .description("bring clients' files in line with the agents of the configuration")
    .option('--write', 'write the changes that are otherwise only shown')
    .option('--full', 'show differences whole on a terminal too')
    .option('--rollback <plan>', 'restore the bytes from before a plan')
    .option('--resume <plan>', "write what a plan's agent lacks")
    .option('--force', 'take over an entry of our name that is not ours')
  addEntryOptions(sync)
    .addHelpText(
      'after',
      `
An entry that is there keeps its backends, its trust and who names purchases; a flag changes that. Nothing is written for an agent
whose entry would have no backend. What sync wrote, init knows as its own, and the other way round.

Examples:
  hubu-unified-mcp sync                    what would change, agent by agent
  hubu-unified-mcp sync --write tiny       write for one agent
  hubu-unified-mcp sync --rollback plan_1767323045000000000_tiny`,
    )
    .action(async (agents: string[], flags: SyncFlags) => {
      const { runSync } = await import('../../client-configs/sync/command.ts')
      const services = await syncServices(context, flags)
      const stackProfile = flags.stackProfile === true ? '' : flags.stackProfile
      const options = { ...flags, agents, stackProfile }
      context.setExitCode(await runSync(options, streamsOf(context), environmentOf(context), services))
    })
}
