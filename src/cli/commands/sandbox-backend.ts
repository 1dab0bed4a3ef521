import type { Command } from 'commander'
import { buildStamp } from '../../config/build-stamp.ts'
import type { CliContext } from '../context.ts'

/** A backend that runs until it is told to stop. */
interface RunningBackend {
  close(): Promise<void>
}

/** Adds `sandbox hubu` and `sandbox gongbu`: one embedded backend as a server of its own. */
export function addBackendCommands(sandbox: Command, context: CliContext): void {
  const { wire: process } = context
  sandbox
    .command('hubu')
    .argument('[address]', 'where to listen; wins over HUBU_BIND_ADDR (default 127.0.0.1:8787)')
    .description('start the embedded Hubu alone, configured by HUBU_DB_PATH, HUBU_AUTH_TOKEN and the like')
    .addHelpText(
      'after',
      '\nExamples:\n  hubu-unified-mcp sandbox hubu\n  hubu-unified-mcp sandbox hubu 127.0.0.1:9000',
    )
    .action(async (bindAddress: string | undefined) => {
      const { runHubuFromEnvironment } = await import('../../sandbox/hubu/standalone.ts')
      const start = () => runHubuFromEnvironment(process.env, process.stderr, { stamp: buildStamp, bindAddress })
      context.setExitCode(await runUntilStopped(start, process))
    })
  sandbox
    .command('gongbu')
    .description('start the embedded Gongbu alone, configured by GONGBU_SANDBOX_ variables')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp sandbox gongbu')
    .action(async () => {
      const { runGongbuFromEnvironment } = await import('../../sandbox/gongbu/standalone.ts')
      const start = async () => {
        try {
          return await runGongbuFromEnvironment(process.env, process.stderr, { stamp: buildStamp })
        } catch (error) {
          process.stderr.write(`error: ${error instanceof Error ? error.message : 'cannot start'}\n`)
          throw error
        }
      }
      context.setExitCode(await runUntilStopped(start, process))
    })
}

/** Runs a backend until SIGTERM or SIGINT; 1 when it cannot start, which it has told itself. */
async function runUntilStopped(start: () => Promise<RunningBackend>, process: NodeJS.Process): Promise<number> {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  let running: RunningBackend
  try {
    running = await start()
  } catch {
    return 1
  }
  await stopped
  await running.close()
  return 0
}
