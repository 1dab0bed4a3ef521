// What `init` tells a person, and the same as JSON. Pure.
import { type Appearance, plainAppearance } from '../../terminal/appearance.ts'
import { difference } from '../files/difference.ts'
import { showDifference } from '../files/show-difference.ts'
import { type FilePlan } from '../files/file-plan.ts'
import { type InitPlan } from './request.ts'
import { type WrittenFile } from './write.ts'

/** A plan before it is written: differences, what to do by hand, notes. */
export function previewText(plan: InitPlan, look: Appearance = plainAppearance, isFull = false): string {
  const { client, program, lists } = plan
  if (program !== undefined) {
    return lines([
      `${client.title} is configured by a script, ${program.path}, which is never edited. Add these lines to it:`,
      '',
      ...program.lines,
      '',
      ...tail(plan),
    ])
  }
  const changed = plan.files.filter((file) => file.changes.length > 0)
  const diffs = changed.map((file) => showDifference(differenceOf(file), look, isFull ? undefined : lists))
  return lines([...diffs, ...tail(plan)])
}

/** What became of an entry that was started once: the tools that the client will see, or why there are none. */
export type TriedEntry = { tools: number; hubu: string } | { problem: string }

/** What to say after writing. */
export function writtenText(
  plan: InitPlan,
  written: readonly WrittenFile[],
  tried?: TriedEntry,
  { isTerminal, paint }: Appearance = plainAppearance,
  isFull = false,
): string {
  const { client, lists, trusted } = plan
  const files = written.map(({ path, backup }) => `  ${path}${backup === undefined ? ' (new)' : ` (backup ${backup})`}`)
  const asks = hasRules(plan)
    ? [
        plan.canSpend
          ? `Without a question: ${lists.auto.length} tools, reads and spends among them (Hubu decides each spend).`
          : `Without a question: ${lists.auto.length} tools, reads among them; it cannot spend, see the note.`,
        `${trusted ? 'A person is asked before each of' : 'Refused while nobody is trusted to ask a person:'} ` +
          (isTerminal && !isFull
            ? `${lists.ask.length} protected tools (--full names them).`
            : `these ${lists.ask.length}: ${lists.ask.join(', ')}.`),
      ]
    : []
  const gate = trusted
    ? 'The router runs protected tools, because you trust this client to ask a person first.'
    : client.approval.class === 'cannot'
      ? 'The router refuses protected tools.'
      : 'The router refuses protected tools; --trust-client-approval changes that.'
  return lines([
    paint.bold(`${client.title} is set up:`),
    ...files,
    ...(tried === undefined ? [] : [triedText(plan, tried)]),
    ...asks,
    gate,
    client.approval.bypass,
    ...tail(plan),
    `Restart ${client.title}.`,
  ])
}

function triedText({ client }: InitPlan, tried: TriedEntry): string {
  if ('tools' in tried) {
    const why = tried.hubu === 'available' ? '' : ` Hubu is ${tried.hubu}, so that its own are missing.`
    return `Started once: ${client.title} will see ${tried.tools} tools.${why}`
  }
  return `Started once, and it does not work yet: ${tried.problem}. \`hubu-unified-mcp doctor --client ${client.name}\` looks into it.`
}

/** The plan as data: the result object that `sync --json` prints too, with one entry per file. */
export function planJson(
  plan: InitPlan,
  planId: string,
  written: readonly WrittenFile[] | undefined,
  tried?: TriedEntry,
): object {
  const entry = plan.files.at(-1)
  return {
    plan_id: planId,
    agent: plan.client.name,
    kind: plan.client.name,
    scope: plan.scope,
    path: entry?.file.path ?? plan.program?.path,
    changes: entry === undefined ? [] : [{ server: 'hubu', action: actionOf(entry) }],
    applied: written !== undefined && written.length > 0,
    files: plan.files.map((file) => ({
      path: file.file.path,
      created: file.file.kind === 'missing' && file.changes.length > 0,
      difference: differenceOf(file),
      ...backupOf(file, written),
    })),
    auto: plan.lists.auto,
    ask: plan.lists.ask,
    trusted: plan.trusted,
    can_spend: plan.canSpend,
    ...(tried === undefined ? {} : { started: tried }),
    ...(plan.refusal === undefined ? {} : { trust_refusal: plan.refusal }),
    ...(plan.program === undefined ? {} : { program: plan.program }),
    manual: plan.approvals.manual ?? [],
    notes: plan.notes,
  }
}

function tail({ approvals, notes }: InitPlan): string[] {
  const manual = approvals.manual ?? []
  return [...(manual.length > 0 ? ['', ...manual, ''] : []), ...notes.map((note) => `note: ${note}`)]
}

/** True when rules of ours are written somewhere, not only printed. */
function hasRules({ approvals }: InitPlan): boolean {
  return approvals.files !== undefined || approvals.edits !== undefined || approvals.entry?.['tools'] !== undefined
}

/** Whether the entry is new in its file. */
function actionOf({ changes, isNewEntry }: FilePlan): string {
  if (changes.length === 0) return 'unchanged'
  return isNewEntry ? 'add' : 'update'
}

function backupOf({ file }: FilePlan, written: readonly WrittenFile[] | undefined): { backup?: string } {
  const backup = written?.find(({ path }) => path === file.path)?.backup
  return backup === undefined ? {} : { backup }
}

function differenceOf({ file, before, after, changes, wish }: FilePlan): string {
  const format = wish.kind === 'edits' ? wish.format : undefined
  return difference({ path: file.path, before, after, changes, isNew: file.kind === 'missing', format })
}

function lines(all: readonly string[]): string {
  return all.map((line) => line.replace(/\n$/, '')).join('\n') + '\n'
}
