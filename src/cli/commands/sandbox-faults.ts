import { InvalidArgumentError, Option, type Command } from 'commander'
import { ConfigError } from '../../config/config-error.ts'
import type { SandboxConnection } from '../../sandbox/attach.ts'
import { readFaults, setFaults, type FaultInForce } from '../../sandbox/faults/control.ts'
import { faultPresets, isFaultName } from '../../sandbox/faults/presets.ts'
import type { Appearance } from '../../terminal/appearance.ts'
import { jsonLines } from '../../terminal/foreign-text.ts'
import type { CliContext } from '../context.ts'
import { sandboxConnectionOf } from '../sandbox-folder.ts'
import { table } from '../table.ts'

interface FaultFlags {
  dataFolder?: string
  json?: boolean
}

/** `--fault NAME` of `sandbox`, as often as wanted. */
export function faultOption(): Option {
  return new Option(
    '--fault <name>',
    'make the backends fail in this way from the start; may be repeated (list below)',
  ).argParser(collectFaults)
}

/** The names of all faults with what they do, as lines. */
export function faultTable(): string {
  const width = Math.max(...Object.keys(faultPresets).map((name) => name.length))
  return Object.entries(faultPresets)
    .map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`)
    .join('\n')
}

/** Adds `sandbox faults`: what fails in a running sandbox. */
export function addFaultCommands(sandbox: Command, context: CliContext): void {
  const faults = sandbox
    .command('faults')
    .description('show and change what fails in the sandbox that is running')
    .addHelpText(
      'after',
      `
Faults:
${faultTable()}

Examples:
  hubu-unified-mcp sandbox faults list
  hubu-unified-mcp sandbox faults set hubu-slow hubu-lost-reply
  hubu-unified-mcp sandbox faults clear`,
    )
  const leaf = (name: string, description: string, example: string) =>
    faults
      .command(name)
      .description(description)
      .option('--data-folder <path>', 'the data folder of that sandbox')
      .option('--json', 'print JSON')
      .addHelpText('after', `\nExamples:\n  hubu-unified-mcp sandbox faults ${example}`)
  leaf('list', 'the faults in force', 'list --json').action((_flags: FaultFlags, command: Command) =>
    run(command, context, readFaults),
  )
  leaf('set', 'put these faults in the place of all others', 'set hubu-slow hubu-lost-reply')
    .argument('<names...>', 'names of faults', collectFaults)
    .action((names: string[], _flags: FaultFlags, command: Command) =>
      run(command, context, (connection) => setFaults(connection, names)),
    )
  leaf('clear', 'let everything go well again', 'clear').action((_flags: FaultFlags, command: Command) =>
    run(command, context, (connection) => setFaults(connection, [])),
  )
}

function collectFaults(name: string, before: string[] = []): string[] {
  if (!isFaultName(name)) throw new InvalidArgumentError(`The faults are:\n${faultTable()}`)
  return [...before, name]
}

/** Talks to the running sandbox and prints what is in force then. Exit code 1 when none runs. */
async function run(
  command: Command,
  { process, place, look, setExitCode }: CliContext,
  job: (connection: SandboxConnection) => Promise<FaultInForce[]>,
): Promise<void> {
  // `sandbox` itself has --data-folder as well, and takes it wherever it stands.
  const flags = command.optsWithGlobals<FaultFlags>()
  const meant = { sandbox: true, dataFolder: flags.dataFolder }
  try {
    const inForce = await job(sandboxConnectionOf(meant, place)!)
    process.stdout.write(flags.json ? jsonLines({ faults: inForce }) : listText(inForce, look))
  } catch (error) {
    const reason = error instanceof ConfigError ? error.message : 'the sandbox of that data folder does not answer'
    process.stderr.write(`hubu-unified-mcp: ${reason}\n`)
    setExitCode(1)
  }
}

function listText(inForce: readonly FaultInForce[], look?: Appearance): string {
  if (inForce.length === 0) return 'Nothing is made to fail.\n'
  const rows = inForce.map(({ backend, rule }) => {
    const { name = '', method = 'any', path: route, times, kind, behaviour, delay_ms: delayMs, status } = rule
    const where = kind === 'execution' ? 'executions' : `${String(method)} ${String(route)}`
    const what = [behaviour ?? kind, status, delayMs === undefined ? undefined : `${String(delayMs)} ms`]
    return [
      String(name),
      backend,
      where,
      what.filter((part) => part !== undefined).join(' '),
      times === undefined ? 'always' : String(times),
    ]
  })
  return table(['FAULT', 'BACKEND', 'WHERE', 'WHAT', 'TIMES LEFT'], rows, look)
}
