// What `sync`, `offload` and `agents` tell a person. Pure.
import { type Appearance, plainAppearance } from '../../terminal/appearance.ts'
import { showDifference } from '../files/show-difference.ts'
import { difference } from '../files/difference.ts'
import { type RollbackResult } from './rollback.ts'
import { type AgentResult } from './sync-agent.ts'

/** Results for people; a preview shows the differences. */
export function resultsText(
  results: readonly AgentResult[],
  write: boolean,
  look: Appearance = plainAppearance,
  isFull = false,
): string {
  if (results.length === 0) return 'no agents are configured\n'
  const hasChanges = results.some((result) => result.changes.length > 0)
  const end = write || !hasChanges ? '' : 'nothing written; add --write\n'
  return results.map((result) => resultText(result, write, look, isFull)).join('') + end
}

/** A result as data: the difference in place of the texts. */
export function resultJson({ files, lists: _, ...result }: AgentResult): object {
  const shown = files?.map((file) => ({ path: file.path, created: file.isNew, difference: difference(file) }))
  return shown === undefined ? result : { ...result, files: shown }
}

/** A rollback for people. */
export function rollbackText({ path, restored, backup, notes }: RollbackResult): string {
  const what =
    restored === undefined ? `${path} is removed; the plan had made it` : `${path} has the bytes of ${restored} again`
  return (
    [what, ...(backup === undefined ? [] : [`  backup ${backup}`]), ...notes.map((note) => `  note: ${note}`)].join(
      '\n',
    ) + '\n'
  )
}

function resultText(result: AgentResult, write: boolean, look: Appearance, isFull: boolean): string {
  const { paint } = look
  const { lists, agent, kind, path, changes, plan_id: planId, backup, applied, skipped, error, notes, files } = result
  const head = kind === undefined ? agent : `${agent} (${kind}) ${path ?? ''}`
  if (error !== undefined) return `${paint.bold(head)}\n  ${paint.red('error')}: ${error}\n`
  if (skipped !== undefined) return `${paint.bold(head)}\n  skipped: ${skipped}\n`
  const lines = changes.map(
    ({ server, action, detail }) => `    ${action.padEnd(6)} ${server}${detail === undefined ? '' : `  ${detail}`}`,
  )
  const done = applied ? [`  written${backup === undefined ? '' : `, backup ${backup}`}`] : []
  const plan = planId === undefined || changes.length === 0 ? [] : [`  plan: ${planId}`]
  const shown = write
    ? []
    : (files ?? []).map((file) => showDifference(difference(file).trimEnd(), look, isFull ? undefined : lists))
  const said = (notes ?? []).map((note) => `  note: ${note}`)
  return (
    [paint.bold(head), ...(changes.length === 0 ? ['  no changes'] : plan), ...lines, ...done, ...said, ...shown].join(
      '\n',
    ) + '\n'
  )
}
