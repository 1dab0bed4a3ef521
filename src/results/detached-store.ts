// Calls in the background outlive the process that runs them: as a result, or as an outcome that nobody knows (M 5).
import type { ResultsFile } from './results-file.ts'
import type { DetachedRow } from './statements.ts'

/** A call as its process sees it. */
export interface DetachedEntry {
  callId: string
  server: string
  tool: string
  namespaced: string
  startedAtMs: number
  /** By then it has ended. */
  latestEndMs: number
}

/** How a call stands. */
export type StoredDetached = DetachedEntry &
  (
    | { kind: 'pending' }
    | { kind: 'ended'; endedAtMs: number; end: { kind: 'result'; json: string } | { kind: 'failed'; error: string } }
  )

/** Keeps how calls stand. Both reject with StoreFailure. */
export interface DetachedStore {
  save(call: StoredDetached): Promise<void>
  /** A call whose process is gone has ended, its outcome unknown. */
  find(callId: string): Promise<StoredDetached | undefined>
}

/** What keeping needs. */
export interface DetachedStoreOptions {
  file: ResultsFile
  nowMs(): number
  /** This process; `name` is random. */
  owner: { name: string; host: string; processId: number }
  /** Whether a process of this host is there. */
  isAlive(processId: number): boolean
}

const keptMs = 24 * 60 * 60 * 1000
const keptCalls = 128
/** A result is bounded by the response budget; without one, a larger one is kept in memory only. */
const resultLimitBytes = 1024 * 1024

export function createDetachedStore({ file, nowMs, owner, isAlive }: DetachedStoreOptions): DetachedStore {
  const isGone = (row: DetachedRow) =>
    row.owner !== owner.name && (row.latestEndMs < nowMs() || (row.host === owner.host && !isAlive(row.processId)))

  return {
    save: (call) =>
      file.write((statements) => {
        statements.putDetached({ ...toColumns(call), owner: owner.name, host: owner.host, processId: owner.processId })
        statements.pruneDetached(nowMs() - keptMs, keptCalls)
      }),
    async find(callId) {
      const row = await file.read((statements) => statements.findDetached(callId))
      if (row === undefined || (row.endedAtMs ?? row.latestEndMs) < nowMs() - keptMs) return undefined
      return toCall(row, isGone(row))
    },
  }
}

function toColumns(call: StoredDetached): Omit<DetachedRow, 'owner' | 'host' | 'processId'> {
  const { callId, server, tool, namespaced: publicName, startedAtMs, latestEndMs } = call
  const row = { callId, server, tool, publicName, startedAtMs, latestEndMs, endedAtMs: null, result: null, error: null }
  if (call.kind === 'pending') return row
  const { endedAtMs, end } = call
  if (end.kind === 'failed') return { ...row, endedAtMs, error: end.error }
  return Buffer.byteLength(end.json) > resultLimitBytes
    ? {
        ...row,
        endedAtMs,
        error: `call ${publicName}: it finished, but its result was too large to outlive the gateway.`,
      }
    : { ...row, endedAtMs, result: end.json }
}

function toCall(row: DetachedRow, isGone: boolean): StoredDetached {
  const { callId, server, tool, publicName, startedAtMs, latestEndMs, endedAtMs, result, error } = row
  const call = { callId, server, tool, namespaced: publicName, startedAtMs, latestEndMs }
  if (endedAtMs !== null) {
    const end =
      result === null ? { kind: 'failed' as const, error: error ?? '' } : { kind: 'result' as const, json: result }
    return { ...call, kind: 'ended', endedAtMs, end }
  }
  if (!isGone) return { ...call, kind: 'pending' }
  const lost = `call ${publicName}: outcome unknown: the gateway that ran the call ended before it did. It may have been carried out; it was not retried.`
  return { ...call, kind: 'ended', endedAtMs: startedAtMs, end: { kind: 'failed', error: lost } }
}
