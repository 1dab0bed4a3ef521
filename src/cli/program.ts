// The commander tree. Commands are functions of what they are given; main.ts sets the exit code.
import { Command, CommanderError } from 'commander'
import { serveCommand } from './commands/serve.ts'

/** Runs a command line; the exit code: 0, 1 failure, 2 usage. */
export async function runProgram(args: string[], process: NodeJS.Process): Promise<number> {
  let code = 0
  const program = new Command('hubu-unified-mcp')
    .description('One MCP server in front of Hubu (decides about money) and Gongbu (executes).')
    .exitOverride()
    .showHelpAfterError('(hubu-unified-mcp --help lists the commands)')
    .configureOutput({ writeOut: (text) => process.stdout.write(text), writeErr: (text) => process.stderr.write(text) })
  program
    .command('serve')
    .description('serve MCP on stdio; the same as no command at all')
    .action(async () => {
      code = await serveCommand(process)
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}
