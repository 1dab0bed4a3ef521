import type { Command } from 'commander'
import type { GatewayConfig } from '#generated/types/config.js'
import { buildStamp } from '../../config/build-stamp.ts'
import { configPath } from '../../config/configure.ts'
import { connectTimeouts } from '../../config/durations.ts'
import { knownNames } from '../../downstream/known-names.ts'
import type { Mounts, ServerView } from '../../downstream/mounts.ts'
import { strayNames } from '../../names/stray-names.ts'
import { realClock } from '../../timing/clock.ts'
import { jsonLines, label } from '../../terminal/foreign-text.ts'
import type { CliContext } from '../context.ts'
import { table } from '../table.ts'

interface ServersFlags {
  config?: string
  json?: boolean
  verbose?: boolean
}

/** One configured server, as the command prints it. */
interface ServerRow {
  name: string
  state: 'connected' | 'failed' | 'disabled'
  transport: string
  tools: number
  /** Why it is not connected, in words that hold no secret. */
  error?: string
  /** What it wrote last, with --verbose; text of the server without secrets. */
  wrote?: string[]
}

/** Adds `servers`: starts what the configuration mounts, says how it went, and stops it again. */
export function addServersCommand(program: Command, context: CliContext): void {
  program
    .command('servers')
    .description('start every enabled server of the configuration, say what is mounted and why something is not')
    .option('--config <path>', 'the configuration file')
    .option('--json', 'print JSON')
    .option('--verbose', 'show what each server that is not connected wrote last')
    .addHelpText(
      'after',
      `
Exit code 1 when an enabled server cannot be mounted. Hubu and Gongbu are no entries of the configuration; \`doctor\` examines them.

Examples:
  hubu-unified-mcp servers
  hubu-unified-mcp servers --config gateway.yaml --json`,
    )
    .action(async (flags: ServersFlags) => context.setExitCode(await serversCommand(flags, context)))
}

async function serversCommand(flags: ServersFlags, { process, place }: CliContext): Promise<number> {
  const file = configPath(place, flags)
  const { readConfigFile } = await import('../../config/config-file.ts')
  const settings = file === undefined ? {} : readConfigFile(file)
  const { createMounts } = await import('../../downstream/mounts.ts')
  const warnings: string[] = []
  const mounts = createMounts({
    servers: settings.servers ?? {},
    allowsServer: () => true,
    clientInfo: { name: 'hubu-unified-mcp', version: buildStamp.productVersion },
    ...connectTimeouts(settings),
    environment: place,
    clock: realClock,
    random: Math.random,
    onChange: () => {},
    warn: (message) => void warnings.push(message),
  })
  const stopEarly = (): void => void mounts.stop()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopEarly)
  mounts.start()
  await Promise.all(mounts.servers().map(({ name }) => mounts.whenPublished(name)))
  const rows = mounts.servers().map((view) => toRow(view, flags.verbose === true))
  warnings.push(...mounts.servers().flatMap(({ notes }) => notes))
  warnings.push(...strayNamesOf(settings, mounts))
  await mounts.stop()
  for (const warning of warnings) process.stderr.write(`hubu-unified-mcp: ${label(warning)}\n`)
  process.stdout.write(flags.json ? jsonLines({ servers: rows }) : listText(rows, file))
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
  const row = { name, transport, tools: tools.length }
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

function listText(rows: readonly ServerRow[], file: string | undefined): string {
  if (file === undefined) return 'There is no configuration file, so nothing is mounted. Name one with --config.\n'
  if (rows.length === 0) return 'The configuration file has no servers.\n'
  const cells = rows.map(({ name, state, transport, tools, error = '' }) => [name, state, transport, tools, error])
  const wrote = rows.flatMap(({ name, wrote: lines = [] }) =>
    lines.length === 0 ? [] : ['', `${name} wrote last:`, ...lines],
  )
  return `${table(['SERVER', 'STATE', 'TRANSPORT', 'TOOLS', 'ERROR'], cells)}${wrote.map((line) => `${line}\n`).join('')}`
}
