import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { GatewayConfig } from '#generated/types/config.js'
import { activityPath } from '../../config/activity-path.ts'
import { configPath } from '../../config/configure.ts'
import { knownNames } from '../../downstream/known-names.ts'
import type { Mounts, ServerView } from '../../downstream/mounts.ts'
import { strayNames } from '../../names/stray-names.ts'
import { realClock } from '../../timing/clock.ts'
import { jsonLines, label } from '../../terminal/foreign-text.ts'
import type { Appearance } from '../../terminal/appearance.ts'
import type { CliContext } from '../context.ts'
import { signOfLife } from '../sign-of-life.ts'
import { table } from '../table.ts'
import { acceptChanges, showChanges } from './servers-changes.ts'

interface ServersFlags {
  config?: string
  json?: boolean
  verbose?: boolean
  changes?: boolean
}

/** One configured server, as the command prints it. */
interface ServerRow {
  name: string
  state: 'connected' | 'failed' | 'disabled'
  transport: string
  tools: number
  /** Tools that are not used before they are accepted, by their own names. */
  held?: string[]
  /** Why it is not connected, in words that hold no secret. */
  error?: string
  /** What it wrote last, with --verbose; text of the server without secrets. */
  wrote?: string[]
}

/** Adds `servers`: starts what the configuration mounts, says how it went, and stops it again. */
export function addServersCommand(program: Command, context: CliContext): void {
  const servers = program
    .command('servers')
    .description('start every enabled server of the configuration, say what is mounted and why something is not')
    .option('--config <path>', 'the configuration file')
    .option('--json', 'print JSON')
    .option('--verbose', 'show what each server that is not connected wrote last')
    .option('--changes', 'start nothing; show how tools differ from what was accepted')
    .addHelpText(
      'after',
      `
Exit code 1 when an enabled server cannot be mounted. Hubu and Gongbu are no entries of the configuration; \`doctor\` examines them.

Examples:
  hubu-unified-mcp servers
  hubu-unified-mcp servers --config gateway.yaml --json
  hubu-unified-mcp servers --changes
  hubu-unified-mcp servers accept notes`,
    )
    .action(async (flags: ServersFlags) =>
      context.setExitCode(
        await (flags.changes === true ? showChanges(flags, context) : serversCommand(flags, context)),
      ),
    )
  servers
    .command('accept <name>')
    .description('accept the tools of a server as it defines them now, and print what changed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A tool that a server defines otherwise than when it was seen first is told in the log; with \`on_change: hold\` in the server's entry it
is neither listed nor called before this. Look at \`servers --changes\` before.

Examples:
  hubu-unified-mcp servers accept notes`,
    )
    .action(async (name: string, _flags: object, command: Command) =>
      context.setExitCode(await acceptChanges(name, command.optsWithGlobals<{ json?: boolean }>(), context)),
    )
}

async function serversCommand(flags: ServersFlags, context: CliContext): Promise<number> {
  const { process, place, look } = context
  const file = configPath(place, flags)
  const { readConfigFile } = await import('../../config/config-file.ts')
  const settings = file === undefined ? {} : readConfigFile(file)
  const { mountsToLookAt } = await import('../../doctor/mounts-to-look-at.ts')
  const { openDefinitions } = await import('../../activity/open-definitions.ts')
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const path = activityPath(place)
  // Looking makes no files.
  const hasMemory = path !== undefined && existsSync(path)
  const definitions = hasMemory ? openDefinitions({ path, clock: realClock, warn }) : undefined
  const review = definitions?.review
  const mounts = mountsToLookAt(settings, { environment: place, ...(review !== undefined && { review }), warn })
  const stopEarly = (): void => void mounts.stop()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopEarly)
  const progress = signOfLife(context)
  progress.say('starting the servers of the configuration')
  mounts.start()
  await Promise.all(mounts.servers().map(({ name }) => mounts.whenPublished(name)))
  const rows = mounts.servers().map((view) => toRow(view, flags.verbose === true))
  warnings.push(...mounts.servers().flatMap(({ notes }) => notes))
  warnings.push(...strayNamesOf(settings, mounts))
  await mounts.stop()
  definitions?.close()
  progress.end()
  for (const warning of warnings) process.stderr.write(`hubu-unified-mcp: ${label(warning)}\n`)
  process.stdout.write(flags.json ? jsonLines({ servers: rows }) : listText(rows, file, look))
  return rows.some(({ state }) => state === 'failed') ? 1 : 0
}

/** Pins and allowed tools, the agents' ones included, that mean no tool of a connected server. */
function strayNamesOf({ pin, agents = {} }: GatewayConfig, mounts: Mounts): string[] {
  const [known, told] = [knownNames(mounts), new Set<string>()]
  return [{ pin }, ...Object.values(agents)].flatMap((lists) => strayNames(lists, known, told))
}

/** What has not been started before gets more time than we wait for it here. */
const notYet = 'connect: it has not answered yet; a longer connect_timeout of this server gives it more time'

function toRow(view: ServerView, isVerbose: boolean): ServerRow {
  const { name, settings, isEnabled, isConnected, tools, error } = view
  const transport = settings.url === undefined ? 'stdio' : (settings.transport ?? 'http')
  const held = tools.filter((tool) => tool.held !== undefined).map(({ wireName }) => wireName)
  const row = { name, transport, tools: tools.length - held.length, ...(held.length > 0 && { held }) }
  if (!isEnabled) return { ...row, state: 'disabled' }
  if (isConnected) return { ...row, state: 'connected' }
  const wrote = isVerbose ? lastLines(view.lastWords()) : []
  return { ...row, state: 'failed', error: error ?? notYet, ...(wrote.length > 0 && { wrote }) }
}

/** The last lines, each of a length that can be read. */
function lastLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-10).map((line) => label(line.trimEnd(), 300))
}

function listText(rows: readonly ServerRow[], file: string | undefined, look?: Appearance): string {
  if (file === undefined) return 'There is no configuration file, so nothing is mounted. Name one with --config.\n'
  if (rows.length === 0) return 'The configuration file has no servers.\n'
  const cells = rows.map(({ name, state, transport, tools, error = '' }) => [name, state, transport, tools, error])
  const wrote = rows.flatMap(({ name, wrote: lines = [] }) =>
    lines.length === 0 ? [] : ['', `${name} wrote last:`, ...lines],
  )
  return `${table(['SERVER', 'STATE', 'TRANSPORT', 'TOOLS', 'ERROR'], cells, look)}${wrote.map((line) => `${line}\n`).join('')}`
}
