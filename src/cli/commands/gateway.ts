import { Argument, type Command } from 'commander'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DocumentError } from '../../documents/document-error.ts'
import type { Edit } from '../../documents/edit.ts'
import { ConfigError } from '../../config/config-error.ts'
import { readConfigFile } from '../../config/config-file.ts'
import { configPath } from '../../config/configure.ts'
import { loadConfig } from '../../config/load-config.ts'
import { editConfigFile } from '../pins/edit-config.ts'
import { pinEntries, topTools, unpinEntries, type PinChange } from '../pins/pin-edits.ts'
import { windowStart } from '../pins/window.ts'
import { noUsage, readUsage, type UsageReport, type UsageWindow } from '../../stats/report.ts'
import { readOnly } from '../../storage/database.ts'
import { plainAppearance, type Appearance } from '../../terminal/appearance.ts'
import { explain } from '../../terminal/explain.ts'
import { jsonLines } from '../../terminal/foreign-text.ts'
import type { CliContext } from '../context.ts'
import { sandboxFolderOf, type SandboxFolderFlags } from '../sandbox-folder.ts'
import { table } from '../table.ts'

interface GatewayFlags extends SandboxFolderFlags {
  config?: string
  json?: boolean
  quiet?: boolean
  since?: string
  top?: string
  tools?: boolean
  servers?: boolean
  server?: string
  recent?: string
  full?: boolean
}

/** What people ask about pins. */
const pinWords = [
  ['pinned', 'agents see it by its name also where expose is lazy; other tools they find with search_tools'],
  ['server__*', 'every tool of that server'],
] as const

/** A use that the command line does not allow. */
class UsageError extends Error {}

/** Adds `pin`, `unpin`, `expose` and `stats`: the configuration file and what was used. */
export function addGatewayCommands(program: Command, context: CliContext): void {
  const add = (usage: string, description: string) =>
    program.command(usage).description(description).option('--config <path>', 'the configuration file')
  add('pin [entry...]', 'show the pinned tools, or pin server, server__tool or server__*')
    .option('--top <n>', 'also pin the n tools with the most successful calls that no pin covers')
    .option('--sandbox', 'with --top: count the calls of your sandbox')
    .option('--data-folder <path>', 'the data folder of that sandbox')
    .option('--since <window>', 'with --top: count only calls since, for instance 24h or 7d')
    .option('--json', 'print JSON')
    .option('--quiet', 'say nothing about what was pinned')
    .addHelpText('after', pinExamples)
    .action((entries: string[], flags: GatewayFlags) => run(context, () => pin(entries, flags, context)))
  add('unpin <entry...>', 'unpin one entry, or every entry of a server')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp unpin atlas__route\n  hubu-unified-mcp unpin atlas')
    .action((entries: string[], flags: GatewayFlags) => run(context, () => unpin(entries, flags, context)))
  add('expose', 'show every tool (all) or eight meta-tools and the pins (lazy)')
    .addArgument(new Argument('<mode>', 'what agents are shown').choices(['all', 'lazy']))
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp expose lazy')
    .action((mode: string, flags: GatewayFlags) => run(context, () => expose(mode, flags, context)))
  add('stats', 'what was called through the router, how often, how long')
    .option('--sandbox', 'the calls through your sandbox, also while it does not run')
    .option('--data-folder <path>', 'the data folder of that sandbox')
    .option('--tools', 'a table for each tool')
    .option('--servers', 'a table for each server (default)')
    .option('--server <name>', 'only this server')
    .option('--recent <n>', 'also the n newest calls')
    .option('--since <window>', 'only calls since, for instance 24h or 7d')
    .option('--json', 'print JSON')
    .option('--full', 'whole names, whatever the width is')
    .addHelpText('after', statsExamples)
    .action((flags: GatewayFlags) => run(context, () => stats(flags, context)))
}

const pinExamples = `
Examples:
  hubu-unified-mcp pin                                which tools are pinned
  hubu-unified-mcp pin atlas__route "ledger__*"
  hubu-unified-mcp pin --top 5 --since 7d             what was called most in a week`

const statsExamples = `
Examples:
  hubu-unified-mcp stats --tools --since 24h
  hubu-unified-mcp stats --server atlas --recent 20 --json`

async function run(context: CliContext, work: () => number): Promise<void> {
  try {
    context.setExitCode(work())
  } catch (error) {
    const isUsage = error instanceof UsageError
    if (!isUsage && !(error instanceof ConfigError) && !(error instanceof DocumentError)) throw error
    context.process.stderr.write(`hubu-unified-mcp: ${error.message}\n`)
    context.setExitCode(isUsage ? 2 : 1)
  }
  return Promise.resolve()
}

function fileOf(flags: GatewayFlags, { place }: CliContext): string {
  const file = configPath(place, { config: flags.config })
  if (file === undefined)
    throw new ConfigError('there is no configuration file; name one with --config or HUBU_UNIFIED_CONFIG')
  return file
}

function pin(entries: string[], flags: GatewayFlags, context: CliContext): number {
  const file = fileOf(flags, context)
  const config = readConfigFile(file)
  const { stdout } = context.process
  if (entries.length === 0 && flags.top === undefined) {
    const pins = config.pin ?? []
    if (flags.json) stdout.write(jsonLines({ pins }))
    else
      stdout.write(
        (pins.length === 0 ? 'Nothing is pinned.\n' : pins.map((entry) => `${entry}\n`).join('')) +
          explain(pinWords, context.look ?? plainAppearance),
      )
    return 0
  }
  const { tools } = usageOf(flags, context, { sinceMs: sinceOf(flags) })
  const top = flags.top === undefined ? [] : topTools(config, tools, count(flags.top, '--top'))
  if (flags.top !== undefined && top.length === 0)
    say('No calls of tools that could be pinned are recorded.\n', flags, context)
  const change = pinEntries(config, [...entries, ...top])
  return write(file, change, 'pinned', (config.pin ?? []).length + change.changed.length, flags, context)
}

function unpin(entries: string[], flags: GatewayFlags, context: CliContext): number {
  const file = fileOf(flags, context)
  const config = readConfigFile(file)
  const change = unpinEntries(config, entries)
  for (const entry of change.unmatched) say(`${entry} matches no pin.\n`, flags, context)
  return write(file, change, 'unpinned', (config.pin ?? []).length - change.changed.length, flags, context)
}

function write(
  file: string,
  { edits, changed }: PinChange,
  verb: 'pinned' | 'unpinned',
  total: number,
  flags: GatewayFlags,
  context: CliContext,
): number {
  edit(file, edits, context)
  if (flags.json) context.process.stdout.write(jsonLines({ [verb]: changed, total }))
  else
    say(
      `${changed.length} ${verb}${changed.length > 0 ? ` (${changed.join(', ')})` : ''}, ${total} in all.\n`,
      flags,
      context,
    )
  return 0
}

/** Tells what happened, unless nobody wants to know. */
function say(text: string, { quiet, json }: GatewayFlags, { process }: CliContext): void {
  if (!quiet && !json) process.stdout.write(text)
}

function expose(mode: string, flags: GatewayFlags, context: CliContext): number {
  const file = fileOf(flags, context)
  const isChanged = edit(file, [{ kind: 'merge', path: [], members: { expose: mode } }], context)
  say(`expose: ${mode}${isChanged ? '' : ' (as before)'}\n`, flags, context)
  return 0
}

function edit(file: string, edits: readonly Edit[], { process }: CliContext): boolean {
  return edits.length > 0 && editConfigFile(file, edits, { now: new Date(), platform: process.platform })
}

function stats(flags: GatewayFlags, context: CliContext): number {
  const recent = flags.recent === undefined ? 0 : count(flags.recent, '--recent')
  const usage = usageOf(flags, context, { sinceMs: sinceOf(flags), server: flags.server, recent })
  context.process.stdout.write(flags.json ? jsonLines(usage) : statsText(usage, flags, context.look))
  return 0
}

/** The heads of the tables, for who does not know them. */
const statsWords = [
  ['AVG_MS', 'milliseconds from a call to its answer, on average'],
  ['EST_TOKENS', 'about how many tokens: a quarter of the bytes of arguments and answers'],
] as const

function statsText(
  { totals, servers, tools, recent }: UsageReport,
  flags: GatewayFlags,
  given: Appearance = plainAppearance,
): string {
  const look = flags.full === true ? { ...given, isTerminal: false } : given
  const { calls, errors, total_ms: ms, est_tokens: estimated, received_bytes: received, sent_bytes: sent } = totals
  const head = `${calls} calls, ${errors} errors, ${ms} ms, about ${estimated} tokens; ${received} bytes received, ${sent} sent\n\n`
  const main = flags.tools
    ? table(
        ['SERVER', 'TOOL', 'CALLS', 'ERRORS', 'AVG_MS', 'EST_TOKENS'],
        tools.map((row) => [row.server, row.tool, row.calls, row.errors, row.avg_ms, row.est_tokens]),
        look,
      )
    : table(
        ['SERVER', 'CALLS', 'ERRORS', 'AVG_MS', 'EST_TOKENS'],
        servers.map((row) => [row.server, row.calls, row.errors, row.avg_ms, row.est_tokens]),
        look,
      )
  const words = explain(statsWords, look)
  if (flags.recent === undefined) return head + main + words
  const newest = table(
    ['WHEN', 'TOOL', 'OK', 'MS', 'TOKENS'],
    recent.map((row) => [row.at, row.tool, row.ok ? 'yes' : 'no', row.duration_ms, row.est_tokens]),
    look,
    ['WHEN'],
  )
  return `${head}${main}\n${newest}${words}`
}

function usageOf(flags: GatewayFlags, { process, place }: CliContext, window: UsageWindow): UsageReport {
  const folder = sandboxFolderOf(flags, place)
  const path = folder === undefined ? loadConfig(process.env, { place }).results.path : join(folder, 'results.sqlite3')
  if (path === undefined || !existsSync(path)) return noUsage
  try {
    return readOnly(path, (database) => readUsage(database, window))
  } catch {
    throw new ConfigError('the results file cannot be read; `hubu-unified-mcp doctor` says more')
  }
}

function sinceOf({ since }: GatewayFlags): number | undefined {
  if (since === undefined || since === '') return undefined
  const start = windowStart(since, Date.now())
  if (start === undefined) throw new UsageError('--since takes a window such as 24h, 90m or 7d')
  return start
}

function count(text: string, option: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`${option} takes a whole number above zero`)
  return Number(text)
}
