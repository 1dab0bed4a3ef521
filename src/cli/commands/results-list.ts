// What `results list` prints: stored results, and calls in the background.
import type { ListedDetached } from '../../results/detached-store.ts'
import type { StoredResult } from '../../results/statements.ts'
import { age } from '../../terminal/age.ts'
import type { Appearance } from '../../terminal/appearance.ts'
import { explain } from '../../terminal/explain.ts'
import { jsonLines } from '../../terminal/foreign-text.ts'
import { shortIds } from '../../terminal/short-ids.ts'
import { table } from '../table.ts'

/** Both lists as JSON; times in ISO 8601. */
export function listJson(results: readonly StoredResult[], calls: readonly ListedDetached[]): string {
  const iso = (ms: number) => new Date(ms).toISOString()
  const lists = {
    results: results.map(({ createdAtMs, expiresAtMs, ...rest }) => ({
      ...rest,
      createdAt: iso(createdAtMs),
      expiresAt: iso(expiresAtMs),
    })),
    calls: calls.map(({ startedAtMs, endedAtMs, ...rest }) => ({
      ...rest,
      startedAt: iso(startedAtMs),
      endedAt: endedAtMs === null ? null : iso(endedAtMs),
    })),
  }
  return jsonLines(lists)
}

/** One table of both, newest first; in a terminal with the beginnings of ids, which commands take as well. */
export function storedText(
  results: readonly StoredResult[],
  calls: readonly ListedDetached[],
  nowMs: number,
  look: Appearance,
): string {
  const rows = [
    ...results.map(({ createdAtMs: atMs, totalBytes, mediaType, ...result }) => ({
      ...result,
      ...{ atMs, kind: 'result', state: 'stored', bytes: totalBytes, note: mediaType },
    })),
    ...calls.map(({ startedAtMs: atMs, state, ...call }) => ({
      ...call,
      ...{ atMs, kind: 'call', state: state.replace('_', ' '), note: null },
    })),
  ].sort((a, b) => b.atMs - a.atMs)
  if (rows.length === 0) return 'Nothing is stored, and no detached call is known.\n'
  const ids = look.isTerminal ? shortIds(rows.map(({ callId }) => callId)) : rows.map(({ callId }) => callId)
  const cells = rows.map(({ kind, state, isError, server, tool, note, atMs, bytes }, at) => [
    ids[at]!,
    kind,
    isError ? `${state}, error` : state,
    age(nowMs - atMs),
    bytes ?? '-',
    `${server}/${tool}${note === null ? '' : ` (${note})`}`,
  ])
  const words = Object.entries(explained).filter(([word]) =>
    rows.some(({ kind, state }) => [kind, state].includes(word)),
  )
  return table(['CALL ID', 'KIND', 'STATE', 'AGE', 'BYTES', 'TOOL'], cells, look, ['CALL ID']) + explain(words, look)
}

/** The words of the list, for who does not know them. */
const explained: Record<string, string> = {
  result: 'an answer that was too large to send whole; results get CALL_ID writes it',
  call: 'a call that runs, or ran, in the background; the agent asks for it with poll_result',
  'outcome unknown': 'the router that ran it is gone; what it did is not known',
}
