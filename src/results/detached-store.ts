// Calls in the background outlive the process that runs them: as a result, or as an outcome that nobody knows.
import type { Clock } from '../timing/clock.ts'
import type { ResultsFile } from './results-file.ts'
import type { DetachedFacts, DetachedRow } from './statements.ts'

/** A call as its process sees it. */
export interface DetachedEntry {
  callId: string
  /** Whose it is. */
  principal: string
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
    | {
        kind: 'ended'
        endedAtMs: number
        end: { kind: 'result'; json: string } | { kind: 'failed' | 'cancelled' | 'outcome_unknown'; error: string }
      }
  )

/** How a call stands, without what it brought. */
export interface ListedDetached extends Omit<DetachedEntry, 'latestEndMs'> {
  state: 'running' | 'done' | 'failed' | 'cancelled' | 'outcome_unknown'
  /** The tool called its result an error. */
  isError: boolean
  endedAtMs: number | null
  /** Size of the result; null when none is kept. */
  bytes: number | null
}

/** Keeps how calls stand. Everything rejects with StoreFailure. */
export interface DetachedStore {
  save(call: StoredDetached): Promise<void>
  /** A call of this principal; one whose process is gone has ended, its outcome unknown. */
  find(callId: string, principal: string): Promise<StoredDetached | undefined>
}

/** Tells a person what runs and ran in the background, whichever process ran it. */
export interface DetachedList {
  /** Newest first; without a principal those of all. */
  list(principal?: string): Promise<ListedDetached[]>
}

/** The file of detached calls, and who is alive to finish one. */
export interface DetachedStoreOptions {
  file: ResultsFile
  clock: Pick<Clock, 'nowMs'>
  /** This process; `name` is random. */
  owner: { name: string; host: string; processId: number }
  /** Whether a process of this host is there. */
  isAlive(processId: number): boolean
}

const keptMs = 24 * 60 * 60 * 1000
const keptCalls = 128
/** A result is bounded by the response budget; without one, a larger one is kept in memory only. */
const resultLimitBytes = 1024 * 1024

export function createDetachedStore({
  file,
  clock,
  owner,
  isAlive,
}: DetachedStoreOptions): DetachedStore & DetachedList {
  const isGone = (row: Pick<DetachedRow, 'owner' | 'latestEndMs' | 'host' | 'processId'>) =>
    row.owner !== owner.name &&
    (row.latestEndMs < clock.nowMs() || (row.host === owner.host && !isAlive(row.processId)))

  return {
    save: (call) =>
      file.write((statements) => {
        statements.putDetached({ ...toColumns(call), owner: owner.name, host: owner.host, processId: owner.processId })
        statements.pruneDetached(clock.nowMs() - keptMs, keptCalls)
      }),
    async find(callId, principal) {
      const row = await file.read((statements) => statements.findDetached(callId))
      if (row === undefined || row.principal !== principal) return undefined
      if ((row.endedAtMs ?? row.latestEndMs) < clock.nowMs() - keptMs) return undefined
      return toCall(row, isGone(row))
    },
    async list(principal) {
      const rows = (await file.read((statements) => statements.listDetached(clock.nowMs() - keptMs))) ?? []
      const own = rows.filter((row) => principal === undefined || row.principal === principal)
      return own.map((row) => toListed(row, isGone(row)))
    },
  }
}

function toColumns(call: StoredDetached): Omit<DetachedRow, 'owner' | 'host' | 'processId'> {
  const { callId, principal, server, tool, namespaced: publicName, startedAtMs, latestEndMs } = call
  const row = { callId, principal, server, tool, publicName, startedAtMs, latestEndMs, result: null, error: null }
  if (call.kind === 'pending') return { ...row, endedAtMs: null, endKind: null }
  const { endedAtMs, end } = call
  const ended = { ...row, endedAtMs, endKind: end.kind }
  if (end.kind !== 'result') return { ...ended, error: end.error }
  if (Buffer.byteLength(end.json) <= resultLimitBytes) return { ...ended, result: end.json }
  return { ...ended, error: `call ${publicName}: it finished, but its result was too large to outlive the gateway.` }
}

function toCall(row: DetachedRow, isGone: boolean): StoredDetached {
  const { callId, principal, server, tool, publicName, startedAtMs, latestEndMs, endedAtMs, result, error, endKind } =
    row
  const call = { callId, principal, server, tool, namespaced: publicName, startedAtMs, latestEndMs }
  if (endedAtMs !== null) {
    if (result !== null) return { ...call, kind: 'ended', endedAtMs, end: { kind: 'result', json: result } }
    const kind = endKind === null || endKind === 'result' ? 'failed' : endKind
    return { ...call, kind: 'ended', endedAtMs, end: { kind, error: error ?? '' } }
  }
  if (!isGone) return { ...call, kind: 'pending' }
  const lost = `call ${publicName}: outcome unknown: the gateway that ran the call ended before it did. It may have been carried out; it was not retried.`
  return { ...call, kind: 'ended', endedAtMs: startedAtMs, end: { kind: 'outcome_unknown', error: lost } }
}

function toListed(row: DetachedFacts, isGone: boolean): ListedDetached {
  const { callId, principal, server, tool, publicName: namespaced, startedAtMs, endedAtMs, isError, resultBytes } = row
  const state = stateOf(row, isGone)
  return { callId, principal, server, tool, namespaced, state, isError, startedAtMs, endedAtMs, bytes: resultBytes }
}

function stateOf({ endedAtMs, endKind, resultBytes }: DetachedFacts, isGone: boolean): ListedDetached['state'] {
  if (endedAtMs === null) return isGone ? 'outcome_unknown' : 'running'
  // Rows of before `end_kind` have a result or an error.
  const kind = endKind ?? (resultBytes === null ? 'failed' : 'result')
  return kind === 'result' ? 'done' : kind
}
