import type { Command } from 'commander'
import { ApprovalError } from '../../approvals/approval-error.ts'
import type { ApprovalDecision, HubuApprovals } from '../../approvals/hubu-approvals.ts'
import { pendingText, reviewText } from '../../approvals/review-text.ts'
import { findId, isWholeId } from '../../terminal/short-ids.ts'
import { jsonLines, label } from '../../terminal/foreign-text.ts'
import type { CliContext } from '../context.ts'
import type { SandboxFolderFlags } from '../sandbox-folder.ts'
import { ask } from '../ask.ts'
import { withHubu } from './approvals-connection.ts'
import { noteInJournal } from './approvals-journal.ts'
import { addWatchCommand } from './approvals-watch.ts'

interface ApprovalFlags extends SandboxFolderFlags {
  json?: boolean
  yes?: boolean
}

/** Adds `approvals`: a human decides what the policy left to humans, at any Hubu. */
export function addApprovalsCommand(program: Command, context: CliContext): void {
  const approvals = program
    .command('approvals')
    .description('list, watch, show and decide spends that wait for a human')
    .addHelpText(
      'after',
      `
Talks to the Hubu of HUBU_UNIFIED_HUBU_ENDPOINT with its bearer token, or with --sandbox to a running sandbox. Deciding needs the
approval capability: HUBU_APPROVAL_TOKEN, or the file of HUBU_APPROVAL_TOKEN_FILE (default hubu.approval-token). After an approval the
agent reads the status of its operation, or delivers the same call again, and goes on.

Examples:
  hubu-unified-mcp approvals list --sandbox
  hubu-unified-mcp approvals watch --sandbox --desktop
  hubu-unified-mcp approvals approve 3f2b8c1e --sandbox`,
    )
  const leaf = (name: string, description: string) =>
    approvals
      .command(name)
      .description(description)
      .option('--sandbox', 'talk to the sandbox that is running')
      .option('--data-folder <path>', 'the data folder of that sandbox')
      .option('--json', 'print JSON')
  const examples = (...lines: string[]) =>
    `\nExamples:\n${lines.map((line) => `  hubu-unified-mcp approvals ${line}`).join('\n')}`
  leaf('list', 'what waits for a decision')
    .addHelpText('after', examples('list', 'list --sandbox --json'))
    .action((flags: ApprovalFlags) =>
      withHubu(flags, context, { decides: false }, (hubu) => list(hubu, flags, context)),
    )
  leaf('show <id>', 'the immutable review of one request; the beginning of its id is enough')
    .addHelpText('after', examples('show 3f2b8c1e'))
    .action((typed: string, flags: ApprovalFlags) =>
      withHubu(flags, context, { decides: false }, async (hubu) =>
        print(await hubu.show(await wholeId(hubu, typed)), flags, context, undefined),
      ),
    )
  for (const decision of ['approve', 'deny'] as const) {
    leaf(`${decision} [id]`, `${decision} one request, after showing its review; without an id you choose one`)
      .option('--yes', 'do not ask; for scripts')
      .addHelpText('after', examples(`${decision} 3f2b8c1e`, `${decision} 3f2b8c1e --sandbox --yes --json`))
      .action((typed: string | undefined, flags: ApprovalFlags) =>
        withHubu(flags, context, { decides: true }, (hubu) => decide(hubu, typed, decision, flags, context)),
      )
  }
  addWatchCommand(leaf('watch', 'wait for requests and tell of each, until Ctrl-C'), context)
}

async function list(hubu: HubuApprovals, flags: ApprovalFlags, { process }: CliContext): Promise<number> {
  const found = await hubu.pending()
  process.stdout.write(flags.json ? jsonLines({ pending: found.spends, isWhole: found.isWhole }) : pendingText(found))
  return 0
}

/** The id that a beginning stands for. Throws ApprovalError unless exactly one request waits under it. */
async function wholeId(hubu: HubuApprovals, typed: string): Promise<string> {
  if (isWholeId(typed)) return typed.trim().toLowerCase()
  const { spends } = await hubu.pending()
  const found = findId(
    typed,
    spends.map(({ workflow_id: id }) => id),
  )
  switch (found.kind) {
    case 'one':
      return found.id
    case 'none':
      throw new ApprovalError(
        `Nothing waits under an id that begins with ${label(typed, 40)}. A decided request needs its whole id.`,
      )
    case 'several':
      throw new ApprovalError(`Several ids begin so: ${found.ids.join(', ')}. Give more of it.`)
  }
}

async function decide(
  hubu: HubuApprovals,
  typed: string | undefined,
  decision: ApprovalDecision,
  flags: ApprovalFlags,
  context: CliContext,
): Promise<number> {
  const { process } = context
  const mayAsk = process.stdin.isTTY && !flags.yes
  if (typed === undefined && !mayAsk)
    throw new ApprovalError(`Name the request to ${decision}; \`approvals list\` shows them.`)
  if (!flags.yes && !mayAsk) throw new ApprovalError(`Not on a terminal: add --yes to ${decision} without being asked.`)
  const id = typed === undefined ? await choose(hubu, decision, process) : await wholeId(hubu, typed)
  if (id === undefined) return undecided(process)
  if (!flags.yes) {
    process.stderr.write(reviewText(await hubu.show(id)))
    if (!/^y(es)?$/i.test(await ask(`${decision} this spend? [y/N] `, process))) return undecided(process)
  }
  return print(await hubu.resolve(id, decision), flags, context, decision)
}

function undecided({ stderr }: NodeJS.Process): number {
  stderr.write('Nothing was decided.\n')
  return 1
}

/** Lets a person choose among what waits, by number; the review is shown before anything is decided. */
async function choose(hubu: HubuApprovals, decision: string, process: NodeJS.Process): Promise<string | undefined> {
  const found = await hubu.pending()
  if (found.spends.length === 0) throw new ApprovalError('Nothing waits for a decision.')
  const lines = pendingText(found).trimEnd().split('\n')
  const numbered = lines.map((line, at) => (at < found.spends.length ? `${String(at + 1).padStart(3)}  ${line}` : line))
  process.stderr.write(`${numbered.join('\n')}\n`)
  const answer = await ask(`Which one to ${decision}? [1-${found.spends.length}] `, process)
  return /^[1-9]\d*$/.test(answer) ? found.spends[Number(answer) - 1]?.workflow_id : undefined
}

function print(
  approval: Parameters<typeof reviewText>[0],
  flags: ApprovalFlags,
  context: CliContext,
  decision: ApprovalDecision | undefined,
): number {
  const text = flags.json ? jsonLines(approval) : reviewText(approval)
  context.process.stdout.write(text)
  const look = { approvalRequestId: approval.approval_request_id, text: text.slice(0, 16 * 1024) }
  noteInJournal(decision === undefined ? look : { ...look, decision }, flags, context)
  return 0
}
