import type { Command } from 'commander'
import { buildStamp } from '../../config/build-stamp.ts'
import { loadConfig } from '../../config/load-config.ts'
import { serve } from '../../serve.ts'
import type { CliContext } from '../context.ts'

/** Adds `serve`, the spelled-out form of no command at all. */
export function addServeCommand(program: Command, { process, setExitCode }: CliContext): void {
  program
    .command('serve')
    .description('serve MCP on stdio; the same as no command at all')
    .action(async () => setExitCode(await serveCommand(process)))
}

/** Serves the router on this process's stdio (R 1); the exit code. Throws ConfigError. */
export async function serveCommand(process: NodeJS.Process): Promise<number> {
  const config = loadConfig(process.env)
  const reason = await serve({
    config,
    stamp: buildStamp,
    streams: { stdin: process.stdin, stdout: process.stdout },
    signals: process,
    exitNow: () => process.exit(1),
    report: () => {},
  })
  return exitCodeOf(reason, process.stderr)
}

/** A client that goes is the ordinary end; a broken stream is told in one line (R 1.4, DESIGN 2). */
export function exitCodeOf(reason: Awaited<ReturnType<typeof serve>>, stderr: NodeJS.WritableStream): number {
  if (reason !== 'read_error' && reason !== 'write_error') return 0
  stderr.write(`hubu-unified-mcp: ${reason === 'read_error' ? 'reading stdin' : 'writing stdout'} failed\n`)
  return 1
}
