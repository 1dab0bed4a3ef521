import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { ApprovalDecision } from '../../approvals/hubu-approvals.ts'
import { environmentVariables, readVariable } from '../../config/environment.ts'
import { noteApproval } from '../../operations/journal/approval-entries.ts'
import { realClock } from '../../timing/clock.ts'
import type { CliContext } from '../context.ts'
import { sandboxFolderOf, type SandboxFolderFlags } from '../sandbox-folder.ts'

/** There is nothing to write into, which is no fault. */
const isNothing = new Set(['not_configured', 'missing', 'no_journal'])

/**
 * Writes into the registry, where one is configured, what a person was shown or has decided. What cannot be written is a sentence
 * on stderr and hinders nothing.
 */
export function noteInJournal(
  look: { approvalRequestId: string; text: string; decision?: ApprovalDecision },
  flags: SandboxFolderFlags,
  { process, place }: CliContext,
): void {
  const read = (name: string) => readVariable(process.env, name)
  const folder = sandboxFolderOf(flags, place)
  const statePath = folder === undefined ? read(environmentVariables.statePath) : path.join(folder, 'registry.sqlite3')
  const salt = randomBytes(16).toString('hex')
  const outcome = noteApproval(statePath, { ...look, uid: process.getuid?.() ?? null }, realClock, salt)
  if (outcome.kind === 'not_written' && !isNothing.has(outcome.reason))
    process.stderr.write(
      'hubu-unified-mcp: this could not be noted in the registry; the decision does not depend on it.\n',
    )
}
