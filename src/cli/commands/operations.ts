import { Option, type Command } from 'commander'
import path from 'node:path'
import { environmentVariables, readVariable, type Variables } from '../../config/environment.ts'
import type { OperationView } from '../../operations/operation-view.ts'
import type { ReadOperations, Unreadable } from '../../operations/read-operations.ts'
import { jsonLines, label } from '../../terminal/foreign-text.ts'
import type { CliContext } from '../context.ts'
import { sandboxFolderOf, type SandboxFolderFlags } from '../sandbox-folder.ts'
import { table } from '../table.ts'

/** The states that an operation can be in. */
const states: readonly OperationView['state'][] = [
  ...(['awaiting_hubu_result', 'approval_required', 'authorized'] as const),
  ...(['accepted', 'queued', 'dispatching', 'reconciling', 'succeeded', 'failed'] as const),
]

/** What both commands take. */
export interface OperationsFlags {
  statePath?: string
  json?: boolean
}

/** The options of `operations list`. */
export interface ListFlags extends OperationsFlags {
  state?: string
  limit?: string
}

/** Where the commands write. */
export interface OperationsStreams {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
}

/** Adds `operations`: what the router knows about the spends and executions of this registry, for people. */
export function operationsCommand(program: Command, context: CliContext): void {
  const operations = program
    .command('operations')
    .description('list and show the spends and executions that the registry knows')
    .addHelpText(
      'after',
      `
Reads the registry of HUBU_UNIFIED_OPERATION_STATE_PATH, of --state-path, or with --sandbox that of your sandbox, also while routers use it, and changes nothing. Private
keys, authorization tokens, prompts and the identities of harness calls are never shown.

Examples:
  hubu-unified-mcp operations list --state reconciling
  hubu-unified-mcp operations show 8e8ca8d0f42a`,
    )
  const { process, place } = context
  const placed = <T extends OperationsFlags & SandboxFolderFlags>(flags: T): T => {
    const folder = sandboxFolderOf(flags, place)
    return folder === undefined
      ? flags
      : { ...flags, statePath: flags.statePath ?? path.join(folder, 'registry.sqlite3') }
  }
  const leaf = (name: string, description: string, example: string) =>
    operations
      .command(name)
      .description(description)
      .option('--state-path <file>', 'the registry file')
      .option('--sandbox', 'the registry of your sandbox, also while it does not run')
      .option('--data-folder <path>', 'the data folder of that sandbox')
      .option('--json', 'print JSON')
      .addHelpText('after', `\nExamples:\n  hubu-unified-mcp operations ${example}`)
  leaf('list', 'all operations, the newest first', 'list --state reconciling --json')
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--limit <count>', 'at most so many', '50')
    .action(async (flags: ListFlags) => context.setExitCode(await listCommand(placed(flags), process, place.env)))
  leaf('show <handle>', 'one operation, by its handle or the first digits of it', 'show 8e8ca8d0f42a').action(
    async (handle: string, flags: OperationsFlags) =>
      context.setExitCode(await showCommand(handle, placed(flags), process, place.env)),
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
  const { operations, hasMore } = read.value
  if (flags.json) return print(streams, jsonLines({ operations, hasMore }))
  if (operations.length === 0) return print(streams, 'No operations.\n')
  const rest = hasMore ? `Older ones are left out; --limit ${limit * 10} shows more.\n` : ''
  return print(streams, table(head, operations.map(toCells)) + rest)
}

/** Prints one operation; the exit code. */
export async function showCommand(
  handle: string,
  flags: OperationsFlags,
  streams: OperationsStreams,
  env: Variables,
  now = new Date(),
): Promise<number> {
  const { findOperations } = await import('../../operations/read-operations.ts')
  const read: ReadOperations<OperationView[]> = findOperations(pathOf(flags, env), handle, now)
  if (read.kind === 'unreadable') return fail(streams, sentences[read.reason], 1)
  const [view, another] = read.value
  if (view === undefined)
    return fail(streams, 'No operation has this handle. operations list shows those that there are.', 1)
  if (another !== undefined) return fail(streams, 'More than one handle begins so. Give more digits.', 1)
  return print(streams, flags.json ? jsonLines(view) : toLines(view))
}

const head = ['OPERATION', 'TOOL', 'STATE', 'RESULT', 'TRIES', 'NEXT ATTEMPT', 'UPDATED']

function toCells(view: OperationView): string[] {
  const { attempts } = view
  return [
    digitsOf(view.handle).slice(0, 12),
    view.tool.replace(/^hubu_/, ''),
    view.state,
    view.result?.code ?? '-',
    `${attempts.dispatches}/${attempts.failedObservations}/${attempts.ambiguousObservations}`,
    view.nextAttemptAt ?? '-',
    view.updatedAt,
  ]
}

function toLines(view: OperationView): string {
  const { attempts, result } = view
  const reason =
    result?.reason_code === undefined ? '' : ` (${result.reason_code}: ${(result.fields ?? []).join(', ')})`
  const lines: [string, string | null][] = [
    ['handle', view.handle],
    ['tool', `${view.tool}, called by ${view.platform}`],
    ['state', result === null ? view.state : `${view.state}: ${result.code}${reason}`],
    [
      'execution',
      view.executionId === null ? null : `${view.executionId}, ${view.executionStatus ?? 'status unknown'}`,
    ],
    ['approval request', view.approvalRequestId],
    ['created', view.createdAt],
    ['sent to Hubu', view.dispatchedAt],
    ['answered by Hubu', view.answeredAt],
    ['authorization expires', view.authorizationExpiresAt],
    ['acknowledged', view.acknowledgedAt],
    ['last change', view.updatedAt],
    ['next attempt', view.nextAttemptAt],
    ['held until', view.heldUntil],
    ['deadline', view.deadlineAt],
    [
      'tries',
      `${attempts.dispatches} failed dispatches, ${attempts.failedObservations} failed observations in a row, ` +
        `${attempts.ambiguousObservations} ambiguous observations`,
    ],
    ['what you can do', view.nextStep],
  ]
  return lines
    .filter((line): line is [string, string] => line[1] !== null)
    .map(([name, value]) => `${`${name}:`.padEnd(24)}${label(value)}\n`)
    .join('')
}

const sentences: Record<Unreadable, string> = {
  not_configured: 'No registry is configured. Set HUBU_UNIFIED_OPERATION_STATE_PATH, or give --state-path FILE.',
  not_absolute: 'The path of the registry must be absolute.',
  missing: 'The registry file does not exist yet. A router makes it when it starts.',
  not_a_registry: 'The file is not a registry of this release.',
  busy: 'The registry is locked by another program. Try again.',
  unreadable: 'The registry file cannot be read. It may be damaged, or you may not have the right to read it.',
}

function pathOf({ statePath }: OperationsFlags, env: Variables): string | undefined {
  return statePath ?? readVariable(env, environmentVariables.statePath)
}

function digitsOf(handle: string): string {
  return handle.slice(handle.lastIndexOf(':') + 1)
}

function print({ stdout }: OperationsStreams, text: string): number {
  stdout.write(text)
  return 0
}

function fail({ stderr }: OperationsStreams, message: string, code: number): number {
  stderr.write(`hubu-unified-mcp: ${message}\n`)
  return code
}
