import { Option, type Command } from 'commander'
import path from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { environmentVariables, readVariable, type Variables } from '../../config/environment.ts'
import type { OperationView } from '../../operations/operation-view.ts'
import { fromNow } from '../../terminal/age.ts'
import { explain } from '../../terminal/explain.ts'
import { jsonLines } from '../../terminal/foreign-text.ts'
import type { CliContext } from '../context.ts'
import { sandboxFolderOf, type SandboxFolderFlags } from '../sandbox-folder.ts'
import { table } from '../table.ts'
import { findCommand, findHelp, withFilters, type FindFlags } from './operations-find.ts'
import { confirmCommand, confirmHelp, type ConfirmFlags } from './operations-confirm.ts'
import { forgetCommand, forgetHelp, verifyCommand, verifyHelp, type ForgetFlags } from './operations-journal.ts'
import { showCommand, showHelp } from './operations-show.ts'
import {
  fail,
  lookOf,
  print,
  sentences,
  states,
  type OperationsFlags,
  type OperationsSource,
  type OperationsStreams,
} from './operations-output.ts'

/** The options of `operations list`. */
export interface ListFlags extends OperationsFlags {
  state?: string
  limit?: string
}

/** Adds `operations`: what the router knows about the spends and executions of this registry, for people. */
export function operationsCommand(program: Command, context: CliContext): void {
  const operations = program
    .command('operations')
    .description('find, list and show the spends and executions that the registry knows')
    .addHelpText(
      'after',
      `
Reads the registry of HUBU_UNIFIED_OPERATION_STATE_PATH, of --state-path, or with --sandbox that of your sandbox, also while routers use it; only confirm and forget write. Private
keys, authorization tokens, prompts and the identities of harness calls are never shown.

Examples:
  hubu-unified-mcp operations find --amount 12.50 --since 2h
  hubu-unified-mcp operations list --state reconciling
  hubu-unified-mcp operations show 8e8ca8d0f42a`,
    )
  const { process, place, look } = context
  const { stdout, stderr } = process
  const streams: OperationsStreams = { stdout, stderr, ...(look !== undefined && { look }) }
  const placed = <T extends OperationsFlags & SandboxFolderFlags>(flags: T): T => {
    const folder = sandboxFolderOf(flags, place)
    return folder === undefined
      ? flags
      : { ...flags, statePath: flags.statePath ?? path.join(folder, 'registry.sqlite3') }
  }
  const leaf = (name: string, description: string, help: string) =>
    operations
      .command(name)
      .description(description)
      .option('--state-path <file>', 'the registry file')
      .option('--sandbox', 'the registry of your sandbox, also while it does not run')
      .option('--data-folder <path>', 'the data folder of that sandbox')
      .option('--json', 'print JSON')
      .addHelpText('after', help)
  /** With `--check`, the backends can be asked; whatever is wrong with their settings is one sentence. */
  const asking = async (
    flags: OperationsFlags & SandboxFolderFlags & { check?: boolean },
    job: (source: OperationsSource) => Promise<number>,
  ): Promise<void> => {
    const source = { statePath: pathOf(placed(flags), place.env), now: new Date() }
    if (flags.check !== true) return context.setExitCode(await job(source))
    const { openBackends } = await import('./operations-check.ts')
    try {
      const backends = openBackends(flags, context)
      context.setExitCode(await job({ ...source, backends }).finally(() => backends.close()))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      context.setExitCode(fail(process, error.message, 1))
    }
  }
  const checked = (command: Command) => command.option('--check', 'ask the backends as well; they are only read')
  const example = (line: string) => `\nExamples:\n  hubu-unified-mcp operations ${line}`
  const full = (command: Command) => command.option('--full', 'whole handles and times, whatever the width is')
  checked(full(withFilters(leaf('find', 'find spends by amount, time, words, agent or answer', findHelp)))).action(
    async (flags: FindFlags) => asking(flags, (source) => findCommand(flags, streams, source)),
  )
  full(leaf('list', 'all operations, the newest first', example('list --state reconciling --json')))
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--limit <count>', 'at most so many', '50')
    .action(async (flags: ListFlags) => context.setExitCode(await listCommand(placed(flags), streams, place.env)))
  checked(
    leaf('show <handle>', 'one operation with its story, by its handle or the first digits of it', showHelp),
  ).action(async (handle: string, flags: OperationsFlags) =>
    asking(flags, (source) => showCommand(handle, flags, process, source)),
  )
  leaf('confirm <handle>', 'allow one more purchase that equals an earlier one', confirmHelp)
    .option('--for <duration>', 'how long the word counts, 1m to 24h', '15m')
    .option('--yes', 'do not ask; for scripts')
    .action((handle: string, flags: ConfirmFlags) =>
      confirmCommand(handle, flags, context, pathOf(placed(flags), place.env)),
    )
  leaf('verify', 'whether the journal of purchases holds together', verifyHelp).action(async (flags: OperationsFlags) =>
    context.setExitCode(await verifyCommand(flags, pathOf(placed(flags), place.env), process)),
  )
  leaf('forget [handle]', 'erase the stored texts of purchases, and keep amounts and hashes', forgetHelp)
    .option('--before <time>', 'all that were written down before: a date, an instant, or how long ago')
    .option('--yes', 'do not ask; for scripts')
    .action(async (handle: string | undefined, flags: ForgetFlags) =>
      context.setExitCode(await forgetCommand(handle, flags, context, pathOf(placed(flags), place.env))),
    )
  operations
    .command('backup <file>')
    .description('a verified copy of the registry and its key secret, also while routers use it')
    .option('--state-path <file>', 'the registry file')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp operations backup /backup/registry.sqlite3')
    .action(async (file: string, flags: OperationsFlags) => {
      const { backupCommand } = await import('./operations-files.ts')
      context.setExitCode(await backupCommand(pathOf(flags, place.env), file, process))
    })
  operations
    .command('secret')
    .description('whether the key secret beside the registry is the recorded one')
    .option('--state-path <file>', 'the registry file')
    .option('--new', 'put a new one in the place of one that is lost')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp operations secret')
    .action(async (flags: OperationsFlags & { new?: boolean }) => {
      const { secretCommand } = await import('./operations-files.ts')
      context.setExitCode(await secretCommand(pathOf(flags, place.env), flags.new === true, process))
    })
}

/** Prints the operations of a registry; the exit code. */
export async function listCommand(
  flags: ListFlags,
  streams: OperationsStreams,
  env: Variables,
  now = new Date(),
): Promise<number> {
  const limit = Number(flags.limit ?? '50')
  if (!Number.isSafeInteger(limit) || limit < 1) return fail(streams, '--limit takes a whole number from 1 on.', 2)
  const { listOperations } = await import('../../operations/read-operations.ts')
  const read = listOperations(pathOf(flags, env), { state: flags.state, limit }, now)
  if (read.kind === 'unreadable') return fail(streams, sentences[read.reason], 1)
  const { operations, hasMore, short } = read.value
  if (flags.json) return print(streams, jsonLines({ operations, hasMore }))
  if (operations.length === 0) return print(streams, 'No operations.\n')
  const rest = hasMore ? `Older ones are left out; --limit ${limit * 10} shows more.\n` : ''
  const look = lookOf(streams, flags)
  const when = (time: string | null) => (look.isTerminal ? fromNow(time, now.getTime()) : (time ?? '-'))
  const rows = operations.map((view) =>
    toCells(view, flags.full === true ? view.handle : short.get(view.handle)!, when),
  )
  const words = Object.entries(explained).filter(
    ([word]) => word === 'TRIES' || operations.some(({ state }) => state === word),
  )
  return print(streams, table(head, rows, look, ['OPERATION']) + rest + explain(words, look))
}

const head = ['OPERATION', 'TOOL', 'STATE', 'RESULT', 'TRIES', 'NEXT ATTEMPT', 'UPDATED']

/** The words of the list, for who does not know them. */
const explained: Record<string, string> = {
  awaiting_hubu_result: 'Hubu was asked and its answer is not known yet; the same call delivered again asks again',
  approval_required: 'a human decides: approvals list, then approvals approve or deny',
  authorized: 'the money is reserved; the agent has not created the execution yet',
  accepted: 'the execution is written down here and not sent to Gongbu yet',
  queued: 'it is sent to Gongbu next, or again after a try that failed',
  dispatching: 'it is being sent to Gongbu',
  reconciling: 'Gongbu has it, or may have it, and is asked what became of it',
  succeeded: 'it is done; its result is kept',
  failed: 'it ended without a result; operations show says whether it cost anything',
  TRIES: 'dispatches that failed / looks that failed in a row / looks that left a doubt',
}

function toCells(view: OperationView, handle: string, when: (time: string | null) => string): string[] {
  const { attempts } = view
  return [
    handle,
    view.tool.replace(/^hubu_/, ''),
    view.state,
    view.result?.code ?? '-',
    `${attempts.dispatches}/${attempts.failedObservations}/${attempts.ambiguousObservations}`,
    when(view.nextAttemptAt),
    when(view.updatedAt),
  ]
}

function pathOf({ statePath }: OperationsFlags, env: Variables): string | undefined {
  return statePath ?? readVariable(env, environmentVariables.statePath)
}
