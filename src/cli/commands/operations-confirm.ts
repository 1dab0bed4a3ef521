// `operations confirm`: a person does mean two.
import type { OperationReport } from '#generated/types/router.js'
import { randomBytes } from 'node:crypto'
import { ApprovalError } from '../../approvals/approval-error.ts'
import type { HubuApprovals } from '../../approvals/hubu-approvals.ts'
import { amountText } from '../../approvals/review-text.ts'
import { parseWindow, readPrincipal, windowWords } from '../../config/spend-settings.ts'
import { label, quote } from '../../terminal/foreign-text.ts'
import { realClock } from '../../timing/clock.ts'
import { ask } from '../ask.ts'
import type { CliContext } from '../context.ts'
import type { SandboxFolderFlags } from '../sandbox-folder.ts'
import { withHubu } from './approvals-connection.ts'
import { oneOperation } from './operations-one.ts'
import { fail, sentences, type OperationsFlags } from './operations-output.ts'

/** The options of `operations confirm`. */
export interface ConfirmFlags extends OperationsFlags, SandboxFolderFlags {
  for?: string
  yes?: boolean
}

/** What the help says after the flags. */
export const confirmHelp = `
It buys nothing: the agent makes the same call again, within the time that you allow, and one more purchase that equals the
earlier one is let through, once. It needs the approval capability of Hubu, as approvals approve does, because an agent may
have a shell of yours: HUBU_APPROVAL_TOKEN, or the file of HUBU_APPROVAL_TOKEN_FILE (default hubu.approval-token).

Examples:
  hubu-unified-mcp operations confirm 8e8ca8d0f42a --for 1h`

const defaultMs = 15 * 60_000

/** Shows the earlier purchase, asks, and writes down that one more is meant; the exit code goes to the context. */
export async function confirmCommand(
  handle: string,
  flags: ConfirmFlags,
  context: CliContext,
  statePath: string | undefined,
): Promise<void> {
  const { process } = context
  const lengthMs = flags.for === undefined ? defaultMs : parseWindow(flags.for)
  if (lengthMs === undefined) return context.setExitCode(fail(process, `--for takes ${windowWords}.`, 2))
  const earlier = await earlierPurchase(handle, statePath)
  if (typeof earlier === 'string') return context.setExitCode(fail(process, earlier, 1))
  await withHubu(flags, context, { decides: true }, async (hubu) => {
    if (!flags.yes && !process.stdin.isTTY)
      throw new ApprovalError('Not on a terminal: add --yes to confirm without being asked.')
    await demandCapability(hubu)
    process.stderr.write(summary(earlier))
    if (!flags.yes && !/^y(es)?$/i.test(await ask('Is one more such purchase meant? [y/N] ', process))) {
      process.stderr.write('Nothing was confirmed.\n')
      return 1
    }
    const principal = earlier.principal ?? readPrincipal((name) => process.env[name] || undefined) ?? 'local'
    return write({ handle: earlier.operation_handle, principal }, statePath, lengthMs, process)
  })
}

/** The operation that is meant, or why there is nothing to confirm. */
async function earlierPurchase(handle: string, statePath: string | undefined): Promise<OperationReport | string> {
  const report = await oneOperation(handle, statePath)
  if (typeof report === 'string') return report
  if (report.answer === 'refused' || report.answer === 'not_paid')
    return `Nothing was spent by this operation (${report.answer}), so it holds up no other. The agent can simply ask again.`
  return report
}

async function demandCapability(hubu: HubuApprovals): Promise<void> {
  if (!(await hubu.provesCapability(() => randomBytes(16).toString('hex'))))
    throw new ApprovalError(
      'Nothing was confirmed: Hubu does not accept the approval capability. Set the right one, as for approvals approve.',
    )
}

function summary(report: OperationReport): string {
  const { amount_minor: minor, currency, reason, times } = report
  const amount = minor === null ? 'an amount that was not written down' : amountText(minor, currency ?? 'USD')
  return (
    `${label(report.tool)}, ${amount}, requested ${times.created_at}, ${report.answer}. ${report.sentence}\n` +
    (reason === null ? '' : `reason: ${quote(reason)}\n`)
  )
}

async function write(
  { handle, principal }: { handle: string; principal: string },
  statePath: string | undefined,
  lengthMs: number,
  process: NodeJS.Process,
): Promise<number> {
  const { confirmOneMore } = await import('../../operations/guard/confirm.ts')
  const until = new Date(realClock.nowMs() + lengthMs)
  const uid = process.getuid?.() ?? null
  const written = confirmOneMore(statePath, { handle, principal, until, uid }, realClock)
  if (written.kind === 'not_written') {
    const noJournal = 'This registry keeps no journal, so no purchase is refused for the sake of another.'
    return fail(process, written.reason === 'no_journal' ? noJournal : sentences[written.reason], 1)
  }
  process.stdout.write(
    `Confirmed until ${until.toISOString()}: one more purchase of ${principal} like ${handle.slice(-32, -20)} is let through, once. ` +
      'Nothing was bought; let the agent make the same call again.\n',
  )
  return 0
}
