import type { Command } from 'commander'
import { buildStamp } from '../../config/build-stamp.ts'
import { configure } from '../../config/configure.ts'
import type { Config } from '../../config/load-config.ts'
import { homeFolder } from '../../config/paths.ts'
import { createLog, kindOfFault, type Log } from '../../redaction/log.ts'
import { leastHiddenLength } from '../../redaction/secret.ts'
import { serve } from '../../serve.ts'
import type { CliContext } from '../context.ts'
import type { ServeFlags } from '../serve-flags.ts'
import { openStderr } from '../stderr-stream.ts'
import { realClock } from '../../timing/clock.ts'

/** Adds `serve`, the spelled-out form of no command at all, and `mcp serve`, its other spelling. */
export function addServeCommand(program: Command, context: CliContext): void {
  addServe(program, context)
  addServe(program.command('mcp', { hidden: true }).description('`mcp serve` is the same as `serve`'), context)
}

function addServe(parent: Command, { wire, setExitCode }: CliContext): void {
  parent
    .command('serve')
    .description('serve MCP on stdio; the same as no command at all, and as `mcp serve`')
    .option(
      '--http [address]',
      'serve HTTP instead, at HOST:PORT (default: http.listen of the config file, then 127.0.0.1:7420)',
    )
    .option(
      '--token-file <path>',
      'with --http: where the token of the start lies (default: http-token in your data folder)',
    )
    .option('--new-token', 'with --http: make a new token')
    .option(
      '--config <path>',
      'read this config file (default: HUBU_UNIFIED_CONFIG, then config.yaml in your config folder)',
    )
    .option('--agent <name>', 'serve this agent of the config file: its scope, its pins, its schema budget')
    .option(
      '--identity <mode>',
      'who names spends: harness (default), guarded (the router, where the client does not), replace (always the router)',
    )
    .addHelpText(
      'after',
      `
Examples:
  hubu-unified-mcp serve --config gateway.yaml --agent tiny
  claude mcp add hubu -- hubu-unified-mcp`,
    )
    .action(async (flags: ServeFlags) => setExitCode(await serveCommand(wire, flags)))
}

/** Serves the router on this process's stdio; the exit code. Rejects with ConfigError. */
export async function serveCommand(process: NodeJS.Process, flags: ServeFlags = {}): Promise<number> {
  const config = await configure({ env: process.env, home: homeFolder(), platform: process.platform }, flags)
  const log = logFor(config, process)
  for (const message of shortTokens(config)) log.warn(message)
  greetPerson(process)
  const reason = await serve({
    config,
    stamp: buildStamp,
    streams: { stdin: process.stdin, stdout: process.stdout },
    signals: process,
    parentId: () => process.ppid,
    exitNow: () => process.exit(1),
    report: (fault) => log.error(`The router failed on a request (${kindOfFault(fault)}).`),
    log,
  })
  return serveExitCode(reason, process)
}

/** Somebody who starts it by hand would see nothing and wait as well. */
export function greetPerson({ stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>): void {
  if (stdin.isTTY !== true) return
  stderr.write(
    'hubu-unified-mcp is an MCP server and waits for an MCP client on stdin, which is this terminal. Ctrl-C ends it.\n' +
      'Set a client up with `hubu-unified-mcp init`, watch a purchase with `hubu-unified-mcp demo`, or see --help.\n',
  )
}

/** What is said of tokens that cannot be hidden wherever they occur. */
function shortTokens({ hubu, gongbu, reconciliation }: Config): string[] {
  const tokens = { Hubu: hubu?.bearer, Gongbu: gongbu?.bearer, reconciliation: reconciliation.direct }
  return Object.entries(tokens)
    .filter(([, secret]) => secret?.isShort)
    .map(
      ([name]) =>
        `The ${name} token has fewer than ${leastHiddenLength} characters, so it is hidden only where it stands alone. Use a longer one.`,
    )
}

/** The log that the configuration asks for, on this process's stderr. */
export function logFor({ logLevel, hubu, gongbu, reconciliation }: Config, { stderr }: NodeJS.Process): Log {
  const secrets = [hubu?.bearer, gongbu?.bearer, reconciliation.direct].filter((secret) => secret !== undefined)
  return createLog({ level: logLevel, open: () => openStderr(stderr), secrets, clock: realClock })
}

/** A client that goes is the ordinary end; a broken stream is told in one line. Exits at once where nobody reads. */
export function serveExitCode(reason: Awaited<ReturnType<typeof serve>>, { stderr, exit }: NodeJS.Process): number {
  // What still waits to be written would keep the process alive.
  if (reason === 'unread') exit(1)
  if (reason !== 'read_error' && reason !== 'write_error') return 0
  stderr.write(`hubu-unified-mcp: ${reason === 'read_error' ? 'reading stdin' : 'writing stdout'} failed\n`)
  return 1
}
