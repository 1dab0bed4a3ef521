// Waits for requests and tells of each once: when it begins to wait, and when it waits no more.
import type { Clock } from '../timing/clock.ts'
import { ApprovalError } from './approval-error.ts'
import type { HubuApprovals, PendingSpend } from './hubu-approvals.ts'
import type { ApprovalEvent } from './notice.ts'

/** What a watch asks, and whom it tells. */
export interface WatchOptions {
  hubu: Pick<HubuApprovals, 'pending' | 'show'>
  clock: Pick<Clock, 'nowMs' | 'sleep'>
  intervalMs: number
  /** Ends the watch. */
  signal: AbortSignal
  tell(event: ApprovalEvent): void
  /** Hubu is gone, or back, or has more than can be followed. One line. */
  remark(text: string): void
}

const longestPauseMs = 60_000

/**
 * Watches until the signal fires. Hubu may come and go; a refusal of the question itself ends the watch: throws ApprovalError.
 */
export async function watchApprovals(options: WatchOptions): Promise<void> {
  const { clock, intervalMs, signal, remark } = options
  const known = new Map<string, PendingSpend>()
  let failures = 0
  let isCut = false
  while (!signal.aborted) {
    try {
      const isWhole = await look(options, known)
      if (failures > 0) remark('Hubu answers again.')
      if (!isWhole && !isCut) remark('More requests wait than are followed; the newest are.')
      isCut = !isWhole
      failures = 0
    } catch (error) {
      if (!(error instanceof ApprovalError) || !error.isAway) throw error
      if (failures === 0) remark(`${error.message} Watching goes on.`)
      failures++
    }
    await clock.sleep(Math.min(intervalMs * 2 ** failures, Math.max(longestPauseMs, intervalMs)), signal)
  }
}

/** One look; whether the list was whole. */
async function look({ hubu, clock, tell, signal }: WatchOptions, known: Map<string, PendingSpend>): Promise<boolean> {
  const { spends, isWhole } = await hubu.pending()
  const waiting = new Set(spends.map((spend) => spend.workflow_id))
  for (const spend of spends.toReversed()) {
    if (known.has(spend.workflow_id)) continue
    known.set(spend.workflow_id, spend)
    tell({ type: 'approval.waiting', status: 'pending', atMs: clock.nowMs(), spend })
  }
  for (const [id, spend] of known) {
    if (waiting.has(id) || signal.aborted) continue
    const { status } = await hubu.show(id)
    // Still waiting, and only not on the pages that were read.
    if (status === 'pending') continue
    known.delete(id)
    tell({ type: 'approval.decided', status, atMs: clock.nowMs(), spend })
  }
  return isWhole
}
