// What `results list` prints: stored results, and calls in the background.
import type { ListedDetached } from '../../results/detached-store.ts'
import type { StoredResult } from '../../results/statements.ts'
import { jsonLines } from '../../terminal/foreign-text.ts'
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

/** One table of both, newest first. */
export function storedText(results: readonly StoredResult[], calls: readonly ListedDetached[], nowMs: number): string {
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
  const cells = rows.map(({ callId, kind, state, isError, server, tool, note, atMs, bytes }) => [
    callId,
    kind,
    isError ? `${state}, error` : state,
    age(nowMs - atMs),
    bytes ?? '-',
    `${server}/${tool}${note === null ? '' : ` (${note})`}`,
  ])
  return table(['CALL ID', 'KIND', 'STATE', 'AGE', 'BYTES', 'TOOL'], cells)
}

/** Seconds, minutes or hours, whole ones. */
function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)}m` : `${Math.floor(seconds / 3600)}h`
}
