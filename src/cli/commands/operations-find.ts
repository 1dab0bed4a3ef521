// `operations find`: which purchase was it, and was it paid?
import type { MoneyCheck } from '#generated/types/router.js'
import { Option, type Command } from 'commander'
import { parseAmount, parseCents, parseInstant } from '../../operations/find/filters.ts'
import type { FoundOperations, ForeignId, FoundOperation } from '../../operations/find/find.ts'
import type { FindQuery } from '../../operations/find/query.ts'
import { mostWords, wordsIn } from '../../operations/find/words.ts'
import type { MoneyAnswer } from '../../operations/money.ts'
import { amountText } from '../../approvals/review-text.ts'
import { fromNow } from '../../terminal/age.ts'
import type { Appearance } from '../../terminal/appearance.ts'
import { explain } from '../../terminal/explain.ts'
import { jsonLines, quote } from '../../terminal/foreign-text.ts'
import { table } from '../table.ts'
import {
  fail,
  lookOf,
  sentences,
  states,
  type OperationsFlags,
  type OperationsSource,
  type OperationsStreams,
} from './operations-output.ts'

/** The answers, for who does not know them. */
const explained: Record<MoneyAnswer, string> = {
  paid: 'it moved, once',
  held: 'it is reserved, not spent',
  waiting: 'a human decides',
  refused: 'Hubu said no',
  not_paid: 'nothing was spent, and nothing will be',
  unknown: 'nobody here knows; operations show says where to look',
}

/** The six answers to whether a purchase was paid. */
const answers = Object.keys(explained) as MoneyAnswer[]

/** The options of `operations find`. */
export interface FindFlags extends OperationsFlags {
  amount?: string
  cents?: string
  since?: string
  until?: string
  words?: string
  principal?: string
  client?: string
  answer?: MoneyAnswer
  state?: FindQuery['state']
  tool?: string
  handle?: string
  authorization?: string
  approval?: string
  execution?: string
  limit?: string
}

/** Adds the filters to a command. */
export function withFilters(command: Command): Command {
  return command
    .option('--amount <dollars>', 'this amount, or a range such as 12..13.50')
    .option('--cents <count>', 'the same in cents')
    .option('--since <time>', 'from then on: a date, an instant, or how long ago, such as 2h or 30d')
    .option('--until <time>', 'up to then')
    .option('--words <text>', 'words that begin words of the reason or the merchant, in any order')
    .option('--principal <name>', 'on whose behalf')
    .option('--client <name>', 'the name that the client gave itself, or its platform')
    .addOption(new Option('--answer <answer>', 'what became of the money').choices(answers))
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--tool <name>', 'hubu_submit_spend or hubu_authorize_spend')
    .option('--handle <digits>', 'the first digits of the handle, at least 4')
    .option('--authorization <id>', 'the one with this authorization, also when it is used up')
    .option('--approval <id>', 'the one with this approval request')
    .option('--execution <id>', 'the one with this execution of Gongbu')
    .option('--limit <count>', 'at most so many, up to 1000', '20')
}

/** What the help says after the flags. */
export const findHelp = `
What became of the money is one of six answers:
${Object.entries(explained)
  .map(([word, meaning]) => `  ${word.padEnd(8)}  ${meaning}`)
  .join('\n')}

Exit code 0 when something was found, 1 when not, and 1 when --check finds a contradiction.

Examples:
  hubu-unified-mcp operations find --amount 12.50 --since 2h
  hubu-unified-mcp operations find --words "title picture" --answer unknown`

/** Prints what was found; the exit code. */
export async function findCommand(
  flags: FindFlags,
  streams: OperationsStreams,
  source: OperationsSource,
): Promise<number> {
  const query = toQuery(flags, source.now)
  if (typeof query === 'string') return fail(streams, query, 2)
  const { readRegistry } = await import('../../operations/read-registry.ts')
  const { knownIds } = await import('../../operations/find/check.ts')
  const { findOperationsIn, handlesOf } = await import('../../operations/find/find.ts')
  const { shortHandles } = await import('../../operations/find/short-handles.ts')
  const read = readRegistry(source.statePath, (database) => {
    const sets = foreignIds(flags).map((id) => handlesOf(database, id))
    const handles = sets.length === 0 ? undefined : sets.reduce((a, b) => new Set([...a].filter((one) => b.has(one))))
    const found = findOperationsIn(database, { ...query, handles }, source.now)
    const all = found.operations.map(({ view }) => view.handle)
    return { found, short: shortHandles(database, all), ids: all.map((handle) => knownIds(database, handle)) }
  })
  if (read.kind === 'unreadable') return fail(streams, sentences[read.reason], 1)
  const { found, short, ids } = read.value
  const checks: MoneyCheck[] = []
  if (source.backends !== undefined)
    for (const [at, { answer }] of found.operations.entries()) checks.push(await source.backends.ask(answer, ids[at]!))
  const look = lookOf(streams, flags)
  const shown: Shown = {
    look,
    handle: (handle) => (flags.full === true ? handle : short.get(handle)!),
    when: (time) => (look.isTerminal ? fromNow(time, source.now.getTime()) : time),
  }
  streams.stdout.write(flags.json ? jsonLines(toJson(found, checks)) : toTable(found, query, checks, shown))
  return found.operations.length === 0 || checks.some(({ verdict }) => verdict === 'contradicted') ? 1 : 0
}

/** The query, or what is wrong with the flags. */
function toQuery(flags: FindFlags, now: Date): FindQuery | string {
  const limit = Number(flags.limit ?? '20')
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1000) return '--limit takes a whole number from 1 to 1000.'
  if (flags.amount !== undefined && flags.cents !== undefined) return 'Give --amount or --cents, not both.'
  const cents = flags.amount === undefined ? flags.cents && parseCents(flags.cents) : parseAmount(flags.amount)
  if (flags.amount !== undefined && cents === undefined)
    return '--amount takes dollars with at most two decimals, such as 12.50 or 12..13.50.'
  if (flags.cents !== undefined && !cents) return '--cents takes a whole number or a range, such as 1250 or 1200..1300.'
  const since = flags.since === undefined ? undefined : parseInstant(flags.since, now)
  const until = flags.until === undefined ? undefined : parseInstant(flags.until, now)
  if ((flags.since !== undefined && !since) || (flags.until !== undefined && !until))
    return '--since and --until take a date, an instant with its zone, or how long ago: 2026-11-30, 2026-11-30T12:00:00Z, 90m, 2h, 30d.'
  const words = flags.words === undefined ? undefined : wordsIn(flags.words)
  if (flags.words !== undefined && words === undefined) return `--words takes 1 to ${mostWords} words.`
  const digits = flags.handle?.replace(/^hubu:public-operation:v1:/, '').toLowerCase()
  if (digits !== undefined && !/^[0-9a-f]{4,32}$/.test(digits)) return '--handle takes 4 to 32 hex digits.'
  const { principal, client, answer, state, tool } = flags
  return { cents: cents || undefined, since, until, words, principal, client, answer, state, tool, digits, limit }
}

function foreignIds({ authorization, approval, execution }: FindFlags): ForeignId[] {
  return [
    ...(authorization === undefined ? [] : [{ kind: 'authorization' as const, id: authorization }]),
    ...(approval === undefined ? [] : [{ kind: 'approval' as const, id: approval }]),
    ...(execution === undefined ? [] : [{ kind: 'execution' as const, id: execution }]),
  ]
}

const head = ['TIME', 'AMOUNT', 'ANSWER', 'AGENT', 'TOOL', 'OPERATION', 'REASON']

/** How a table shows handles and times. */
interface Shown {
  look: Appearance
  handle(handle: string): string
  when(time: string): string
}

function toTable(found: FoundOperations, { limit }: FindQuery, checks: readonly MoneyCheck[], shown: Shown): string {
  const { operations, hasMore, notKnown } = found
  const { look } = shown
  const text =
    operations.length === 0
      ? 'No operation fits.\n'
      : table(
          head.concat(checks.length > 0 ? ['CHECK'] : []),
          operations.map((one, at) => toCells(one, shown).concat(checkCell(checks[at]))),
          look,
          ['OPERATION'],
        )
  const more = hasMore ? `Older ones fit as well; --limit ${Math.min(1000, limit * 10)} shows more.\n` : ''
  const words = Object.entries(explained).filter(([word]) => operations.some(({ answer }) => answer === word))
  return text + more + notLookedInto(notKnown) + explain(words, look)
}

function toCells(one: FoundOperation, { handle, when }: Shown): string[] {
  const { view } = one
  return [
    when(view.createdAt),
    one.amountMinor === null ? '-' : amountText(one.amountMinor, one.currency ?? 'USD'),
    one.answer,
    one.principal ?? view.platform,
    view.tool.replace(/^hubu_/, ''),
    handle(view.handle),
    one.reason === null ? '-' : quote([...one.reason].slice(0, 40).join('')),
  ]
}

function checkCell(check: MoneyCheck | undefined): string[] {
  if (check === undefined) return []
  return [check.verdict === 'confirmed' ? 'confirmed' : `${check.verdict.replace('_', ' ')}: ${check.detail}`]
}

function notLookedInto(count: number): string {
  if (count === 0) return ''
  const which = count === 1 ? 'One operation' : `${count} operations`
  return `${which} could not be looked into: what was asked for was not written down.\n`
}

function toJson({ operations, hasMore, notKnown, hasJournal }: FoundOperations, checks: readonly MoneyCheck[]): object {
  return {
    operations: operations.map((one, at) => ({ ...toMembers(one), ...(checks[at] && { check: checks[at] }) })),
    has_more: hasMore,
    not_known: notKnown,
    has_journal: hasJournal,
  }
}

/** What a found operation says of itself as JSON. */
function toMembers(one: FoundOperation): object {
  return {
    operation_handle: one.view.handle,
    answer: one.answer,
    state: one.view.state,
    tool: one.view.tool,
    platform: one.view.platform,
    identity: one.identity,
    principal: one.principal,
    client: one.client,
    amount_minor: one.amountMinor,
    currency: one.currency,
    reason: one.reason,
    merchant: one.merchant,
    approval_request_id: one.view.approvalRequestId,
    execution_id: one.view.executionId,
    requested_at: one.view.createdAt,
    updated_at: one.view.updatedAt,
    next_step: one.nextStep,
  }
}
