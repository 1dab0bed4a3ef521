// Pure: the first entry of an operation, without which no request leaves.
import { bounded, commitment, type Opening } from './entry.ts'
import type { NewEntry } from './journal.ts'

/** Who buys, as far as the journal tells it. */
export interface Buyer {
  /** On whose behalf. */
  principal: string
  /** The name that the client gave itself, or its platform. */
  client: string
  /** Random for each connection of a client; never shown. */
  connection: Buffer
}

/** What the first entry tells of. */
export interface OpenedOperation {
  handle: string
  tool: string
  platform: string
  requestHash: string
  /** Who named the call. */
  identity: 'harness' | 'guarded'
  args: Record<string, unknown>
  /** The canonical text of `args`. */
  argsText: string
  /** The row's own time. */
  happenedAt: string
}

/** How much is written down. */
export interface Keeping {
  /** Texts as well, erasable; without, only amounts and hashes. */
  hasTexts: boolean
  /** The text without our secrets; the very same one when it holds none. */
  redact(text: string): string
  /** 32 hex digits, independent at every call. */
  salt(): string
}

/** A longer text of arguments is not kept. */
const intentLimitBytes = 16 * 1024

/** The entry `opened`, without the handle that it begins with. */
export function openedEntry(operation: OpenedOperation, buyer: Omit<Buyer, 'connection'>, keeping: Keeping): NewEntry {
  const { args } = operation
  const { members, openings } = intentOf(operation.argsText, keeping)
  return {
    kind: 'opened',
    members: {
      tool: operation.tool,
      platform: operation.platform,
      identity: operation.identity,
      principal: buyer.principal,
      client: bounded(buyer.client, 128),
      amount_minor: Number.isSafeInteger(args.amount_cents) ? args.amount_cents : null,
      currency: 'USD',
      account_id: bounded(args.account_id),
      request_hash: operation.requestHash,
      ...members,
      happened_at: operation.happenedAt,
    },
    openings,
  }
}

function intentOf(
  text: string,
  keeping: Keeping,
): { members: Record<string, unknown>; openings?: Record<string, Opening> } {
  if (!keeping.hasTexts) return { members: { intent: null } }
  if (Buffer.byteLength(text) > intentLimitBytes) return { members: { intent: null, intent_omitted: true } }
  const content = keeping.redact(text)
  const salt = keeping.salt()
  return {
    members: { intent: commitment(salt, content), ...(content !== text && { redacted: true }) },
    openings: { intent: { salt, content } },
  }
}
