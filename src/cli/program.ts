// The commander tree. Commands are functions of what they are given; main.ts sets the exit code.
import { Command, CommanderError } from 'commander'
import { randomUUID } from 'node:crypto'
import { homeFolder } from '../config/paths.ts'
import { addAgentsCommand } from './commands/agents.ts'
import { addApprovalsCommand } from './commands/approvals.ts'
import { addCompletionCommand } from './commands/completion.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addGatewayCommands } from './commands/gateway.ts'
import { addInitCommand } from './commands/init.ts'
import { addOffloadCommand } from './commands/offload.ts'
import { operationsCommand } from './commands/operations.ts'
import { resultsCommand } from './commands/results.ts'
import { addSandboxCommand } from './commands/sandbox.ts'
import { addServeCommand } from './commands/serve.ts'
import { addServersCommand } from './commands/servers.ts'
import { addStudioCommand } from './commands/studio.ts'
import { addSyncCommand } from './commands/sync.ts'
import { addTryCommand } from './commands/try.ts'
import { wantsColour } from '../terminal/appearance.ts'
import { createPainting } from '../terminal/paint.ts'
import { addTokenCommand } from './commands/token.ts'
import { cleanProcess } from './clean-process.ts'
import type { CliContext } from './context.ts'
import { versionLine } from './version.ts'

/** Runs a command line; the exit code: 0, 1 failure, 2 usage. */
export async function runProgram(args: string[], process: NodeJS.Process): Promise<number> {
  let code = 0
  const isTerminal = process.stdout.isTTY === true
  const painting = createPainting(wantsColour(process.env, isTerminal), randomUUID())
  const context: CliContext = {
    process: cleanProcess(process, painting.finish),
    look: { paint: painting.paint, isTerminal, width: isTerminal ? (process.stdout.columns ?? 80) : Infinity },
    wire: process,
    place: { env: process.env, home: homeFolder(), platform: process.platform },
    setExitCode: (given) => void (code = given),
  }
  const { stdout, stderr } = process
  let unwritten: NodeJS.ErrnoException | undefined
  stdout.on('error', (error) => void (unwritten = error))
  stderr.on('error', () => {})
  try {
    await createProgram(context).parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    code = error.exitCode === 0 ? 0 : 2
  }
  await new Promise<void>((resolve) => stdout.write('', () => resolve()))
  // Who reads only the beginning, as `head` does, misses nothing; a full disk is a failure.
  if (unwritten === undefined || unwritten.code === 'EPIPE') return code
  stderr.write(`hubu-unified-mcp: the output could not be written (${unwritten.code ?? 'unknown'})\n`)
  return 1
}

/** The whole tree, for running and for the help texts. */
export function createProgram(context: CliContext): Command {
  const { stdout, stderr } = context.process
  const program = new Command('hubu-unified-mcp')
    .description(
      'One MCP server in front of Hubu (decides about money) and Gongbu (executes). Without a command it serves MCP on stdio,\n' +
        'configured by environment variables; an MCP client starts it that way.',
    )
    .version(versionLine(), '-V, --version', 'print product version, commit and contract as one JSON line')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void stdout.write(text), writeErr: (text) => void stderr.write(text) })
    .showSuggestionAfterError()
  program.addHelpText(
    'after',
    `
Examples:
  hubu-unified-mcp try                try it in an MCP client that you have
  hubu-unified-mcp demo               watch one governed spend from registration to picture
  claude mcp add hubu -- hubu-unified-mcp`,
  )
  addServeCommand(program, context)
  addTryCommand(program, context)
  addSandboxCommand(program, context)
  addDemoCommand(program, context)
  addInitCommand(program, context)
  addDoctorCommand(program, context)
  addStudioCommand(program, context)
  addApprovalsCommand(program, context)
  operationsCommand(program, context)
  addServersCommand(program, context)
  addGatewayCommands(program, context)
  addSyncCommand(program, context)
  addOffloadCommand(program, context)
  addAgentsCommand(program, context)
  resultsCommand(program, context)
  addTokenCommand(program, context)
  addCompletionCommand(program, context)
  pointToHelp(program, program.name())
  return program
}

/** After a wrong use, each command names its own help. */
function pointToHelp(command: Command, words: string): void {
  command.showHelpAfterError(`(${words} --help says how it is used)`)
  for (const each of command.commands) pointToHelp(each, `${words} ${each.name()}`)
}
