import { findTool } from '../catalog/catalog.ts'
import type { WaitingSpend } from '../operations/waiting/waiting-spends.ts'
import type { SpendCall } from './spend-call.ts'

/** Asks Hubu again for a purchase that waits for a human, on the way that its harness would take. Rejects as a call does. */
export function createWaitingDelivery(spendCall: SpendCall): (spend: WaitingSpend) => Promise<unknown> {
  return async ({ identity, owner, tool, args }) => {
    const entry = findTool(tool)
    if (entry === undefined) throw new Error(`no tool ${tool}`)
    return spendCall({ entry, tool, args, identity, owner, buyer: null, cause: { kind: 'monitor' } })
  }
}
