// The set-up commands as commander runs them, with a process of which everything is given.
import { Command, CommanderError } from 'commander'
import { mkdirSync } from 'node:fs'
import { addAgentsCommand } from '../../../src/cli/commands/agents.ts'
import { addInitCommand } from '../../../src/cli/commands/init.ts'
import { addOffloadCommand } from '../../../src/cli/commands/offload.ts'
import { addSyncCommand } from '../../../src/cli/commands/sync.ts'
import { type CliContext } from '../../../src/cli/context.ts'
import { type Outcome } from '../workbench.ts'

/** Runs a command line in a home of its own. `bin` is the program that entries will name. */
export function commandLine(folder: { file(name: string): string }, bin: string) {
  const home = folder.file('home')
  mkdirSync(home, { recursive: true })
  const env: Record<string, string | undefined> = {}
  return {
    home,
    env,
    async run(...args: string[]): Promise<Outcome> {
      let out = ''
      let err = ''
      let code = 0
      const process = {
        ...{ env, execPath: globalThis.process.execPath, argv: [globalThis.process.execPath, bin] },
        ...{ cwd: () => home, getuid: () => globalThis.process.getuid?.() },
        stdin: { isTTY: false },
        stdout: { isTTY: false, write: (text: string) => (out += text) },
        stderr: { write: (text: string) => (err += text) },
      }
      const context = {
        process,
        wire: process,
        place: { env, home, platform: globalThis.process.platform },
        setExitCode: (given: number) => void (code = given),
      } as unknown as CliContext
      const program = new Command('hubu-unified-mcp').exitOverride().configureOutput({
        writeOut: (text) => void (out += text),
        writeErr: (text) => void (err += text),
      })
      for (const add of [addInitCommand, addSyncCommand, addOffloadCommand, addAgentsCommand]) add(program, context)
      try {
        await program.parseAsync(args, { from: 'user' })
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error
        code = error.exitCode === 0 ? 0 : 2
      }
      return { code, out, err }
    },
  }
}
