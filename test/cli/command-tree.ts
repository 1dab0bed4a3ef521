// The whole command tree, and one command line run in this process.
import type { Command } from 'commander'
import { PassThrough } from 'node:stream'
import type { CliContext } from '../../src/cli/context.ts'
import { createProgram, runProgram } from '../../src/cli/program.ts'

/** A command with the words that lead to it, the program's name not among them. */
export interface Leaf {
  words: string
  command: Command
}

/** A fresh tree; what it prints goes nowhere. */
export function freshProgram(): Command {
  const quiet = { ...process, stdout: new PassThrough(), stderr: new PassThrough() }
  return createProgram({
    process: quiet as unknown as NodeJS.Process,
    wire: quiet as unknown as NodeJS.Process,
    place: { env: {}, home: '/nowhere', platform: process.platform },
    setExitCode: () => {},
  } satisfies CliContext)
}

/** Every command that does something, in the order of help; `sandbox` does something and has commands below. */
export function commandsOf(command: Command, words: string[] = []): Leaf[] {
  return command.commands.flatMap((each) => {
    const path = [...words, each.name()]
    return [{ words: path.join(' '), command: each }, ...commandsOf(each, path)]
  })
}

/** Runs a command line without any surroundings but this environment; `isTTY` says that a person watches. */
export async function runLine(
  args: string[],
  { env = {}, isTTY = false }: { env?: Record<string, string>; isTTY?: boolean } = {},
): Promise<{ code: number; out: string; err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()].map((stream) => Object.assign(stream, { isTTY }))
  const given = {
    ...{ env, stdout: out, stderr: err, stdin: { isTTY: false }, platform: process.platform },
    ...{ version: process.version, execPath: process.execPath, argv: [process.execPath, import.meta.filename] },
    ...{ cwd: () => env['HOME'] ?? '/', getuid: () => process.getuid?.(), once: () => given, pid: process.pid },
  }
  const code = await runProgram(args, given as unknown as NodeJS.Process)
  return { code, out: String(out?.read() ?? ''), err: String(err?.read() ?? '') }
}
