// `operations show`: one operation with its story.
import type { OperationReport } from '#generated/types/router.js'
import { amountText } from '../../approvals/review-text.ts'
import { jsonLines, label, quote } from '../../terminal/foreign-text.ts'
import { theOnly } from './operations-one.ts'
import { digitsOf } from '../../operations/find/short-handles.ts'
import {
  fail,
  print,
  sentences,
  type OperationsFlags,
  type OperationsSource,
  type OperationsStreams,
} from './operations-output.ts'

/** What the help says after the flags. */
export const showHelp = `
The first line says whether it was paid; the last ones tell its story.

Examples:
  hubu-unified-mcp operations show 8e8ca8d0f42a
  hubu-unified-mcp operations show 8e8ca8d0f42a --check`

/** Prints one operation; the exit code. */
export async function showCommand(
  handle: string,
  flags: OperationsFlags,
  streams: OperationsStreams,
  { statePath, now, backends }: OperationsSource,
): Promise<number> {
  const { readRegistry } = await import('../../operations/read-registry.ts')
  const { reportsOn } = await import('../../operations/find/report.ts')
  const { knownIds } = await import('../../operations/find/check.ts')
  const read = readRegistry(statePath, (database) =>
    reportsOn(database, handle, now).map((report) => ({ report, ids: knownIds(database, report.operation_handle) })),
  )
  if (read.kind === 'unreadable') return fail(streams, sentences[read.reason], 1)
  const found = theOnly(read.value)
  if (typeof found === 'string') return fail(streams, found, 1)
  const check = await backends?.ask(found.report.answer, found.ids)
  const report = check === undefined ? found.report : { ...found.report, check }
  print(streams, flags.json ? jsonLines(report) : toText(report))
  return check?.verdict === 'contradicted' ? 1 : 0
}

/** The report as a person reads it. */
export function toText(report: OperationReport): string {
  const lines = [...headLines(report), ...stateLines(report)]
    .filter((line): line is [string, string] => line[1] !== null)
    .map(([name, value]) => `${`${name}:`.padEnd(24)}${label(value)}\n`)
  return lines.join('') + story(report)
}

type Line = [name: string, value: string | null]

function headLines(report: OperationReport): Line[] {
  const { amount_minor: amountMinor, currency, reason, merchant, principal, client, twins } = report
  const amount = amountMinor === null ? '' : ` ${amountText(amountMinor, currency ?? 'USD')}`
  const taken = report.answer_taken === null ? 'not known' : `${report.answer_taken}, ${report.answer_taken_at ?? ''}`
  return [
    ['answer', `${report.answer}${amount}. ${report.sentence}`],
    ['check', report.check === undefined ? null : `${report.check.verdict.replace('_', ' ')}: ${report.check.detail}`],
    ['handle', report.operation_handle],
    ['tool', `${report.tool}, called by ${report.platform}`],
    ['principal', principal],
    ['client', client],
    ['call named by', report.identity === 'guarded' ? 'the router' : 'the harness'],
    ['reason', reason === null ? null : quote(reason)],
    ['merchant', merchant === null ? null : quote(merchant)],
    ['answer taken', report.times.answered_at === null ? null : taken],
    ['twins', twins.length === 0 ? null : twins.map((twin) => digitsOf(twin).slice(0, 12)).join(', ')],
  ]
}

function stateLines({ times, attempts, ...report }: OperationReport): Line[] {
  const result = report.result as { code?: string; reason_code?: string; fields?: string[] } | null
  const why = result?.reason_code === undefined ? '' : ` (${result.reason_code}: ${(result.fields ?? []).join(', ')})`
  const execution = report.execution_id
  return [
    ['state', result === null ? report.state : `${report.state}: ${result.code ?? ''}${why}`],
    ['execution', execution === null ? null : `${execution}, ${report.execution_status ?? 'status unknown'}`],
    ['approval request', report.approval_request_id],
    ['created', times.created_at],
    ['sent to Hubu', times.dispatched_at],
    ['answered by Hubu', times.answered_at],
    ['authorization expires', times.authorization_expires_at],
    ['acknowledged', times.acknowledged_at],
    ['last change', times.updated_at],
    ['next attempt', times.next_attempt_at],
    ['held until', times.held_until],
    ['deadline', times.deadline_at],
    [
      'tries',
      `${attempts.dispatches} failed dispatches, ${attempts.failed_observations} failed observations in a row, ` +
        `${attempts.ambiguous_observations} ambiguous observations`,
    ],
    ['what you can do', report.next_step],
  ]
}

/** The timeline, each step with the seconds since the one before. */
function story({ timeline }: OperationReport): string {
  const lines = timeline.map(({ at, word, detail }, index) => {
    const before = timeline[index - 1]
    const seconds = before === undefined ? '' : `+${((Date.parse(at) - Date.parse(before.at)) / 1000).toFixed(1)}s`
    return `  ${at}  ${seconds.replace('+-', '-').padStart(9)}  ${label(word)}${detail === '' ? '' : `: ${label(detail)}`}\n`
  })
  return lines.length === 0 ? '' : `\nwhat happened:\n${lines.join('')}`
}
