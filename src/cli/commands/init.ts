import { Option, type Command } from 'commander'
import type { InitOptions } from '../../client-configs/init/command.ts'
import { environmentOf, importTarget, initServices, namedConfig, streamsOf, syncServices } from '../client-setup.ts'
import type { CliContext } from '../context.ts'

interface InitFlags extends Omit<InitOptions, 'client' | 'stackProfile'> {
  fromAgents?: boolean
  stackProfile?: string | true
}

/** Adds `init`: from a download to a client that starts this server, with the approvals it needs. */
export function addInitCommand(program: Command, context: CliContext): void {
  const init = program
    .command('init [client]')
    .description('set up an MCP client: its server entry and what it asks for; without a client, list all of them')
    .option('--write', 'write the change that is otherwise only shown')
    .option('--undo', 'show, and with --write do, what takes back what init wrote for this client')
    .option('--full', 'show differences and lists of tools whole on a terminal too')
    .option('--all', 'with --undo: for every client and scope')
    .option('--clean-backups', 'remove backups whose bytes the journal holds as well (with --write)')
    .addOption(new Option('--scope <scope>', 'whose set-up').choices(['user', 'project', 'local']).default('user'))
    .option('--file <path>', "the client's file, when several could be meant")
    .option('--agent <name>', 'start the server for this agent of the configuration')
    .option('--force', 'take over an entry that is not ours; with --undo, remove values you edited')
    .addOption(
      new Option('--print [format]', 'print an entry to paste into the file of any other client')
        .choices(['json', 'toml', 'yaml'])
        .preset('json'),
    )
    .option('--from-agents', 'take the servers of all clients into the configuration, then wire the clients')
  addEntryOptions(init)
    .addHelpText(
      'after',
      `
Nothing is written without --write or a yes on a terminal. A backup is made, and init --undo gives the former bytes back.

Examples:
  hubu-unified-mcp init                               which clients are there, and how they stand
  hubu-unified-mcp init claude --sandbox --write      try it in Claude Code with fictional money
  hubu-unified-mcp init codex --stack-profile /abs/path/to/profile --trust-client-approval --write
  hubu-unified-mcp init cursor --hubu http://127.0.0.1:8787 --hubu-token-file ~/.hubu/hubu.auth-token
  hubu-unified-mcp init --undo codex --write          take it back`,
    )
    .action(async (client: string | undefined, flags: InitFlags) =>
      context.setExitCode(await run(client, flags, context)),
    )
}

/** Flags that say what an entry reaches and what is trusted to its client, for every command that writes one. */
export function addEntryOptions(command: Command): Command {
  return command
    .option('--sandbox', 'start the sandbox: nothing else is needed')
    .option('--stack-profile [path]', "use a rendered local stack (without a path: the default profile's)")
    .option(
      '--allow-incompatible',
      'write although the stack was rendered for another build, or this build has no stamp',
    )
    .option('--trust-client-approval', 'run protected tools too, because this client asks a person before them')
    .option('--i-know-the-client-asks', 'with --trust-client-approval, for clients that cannot be told to ask')
    .option(
      '--guarded-identity',
      'for clients that send no id with a call: the router names their purchases, and two equal ones that are both meant become one',
    )
    .option('--via-npx', 'have the client start an exact version with npx; for a program that npx has fetched')
    .option('--experimental-pins', 'also write settings whose spelling is not certain (VS Code)')
    .option('--hubu <url>', "Hubu's endpoint (default: HUBU_URL, then http://127.0.0.1:8787)")
    .option('--hubu-token-file <path>', "the file with Hubu's bearer token")
    .option('--gongbu <url>', "Gongbu's endpoint, together with --gongbu-token-file")
    .option('--gongbu-token-file <path>', "the file with Gongbu's bearer token")
    .option('--reconciliation-token-file <path>', 'the file with the reconciliation capability')
    .option('--state-file <path>', 'the operation registry (default: one of ours for this pair of endpoints)')
    .option('--config <path>', 'the configuration file that the server is to read')
    .option('--json', 'print JSON')
    .option('--quiet', 'print nothing but errors')
}

async function run(client: string | undefined, flags: InitFlags, context: CliContext): Promise<number> {
  const environment = environmentOf(context)
  const streams = streamsOf(context)
  const stackProfile = flags.stackProfile === true ? '' : flags.stackProfile
  if (flags.fromAgents === true) {
    const { runFromAgents } = await import('../../client-configs/sync/command.ts')
    const services = { ...(await syncServices(context, flags)), configFile: importTarget(context, flags) }
    return runFromAgents({ ...flags, stackProfile }, streams, environment, services)
  }
  const { runInit } = await import('../../client-configs/init/command.ts')
  const options: InitOptions = { ...flags, client, stackProfile, config: namedConfig(context, flags) }
  return runInit(options, streams, environment, await initServices(context, flags))
}
