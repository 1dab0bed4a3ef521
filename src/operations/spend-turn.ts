// What a spend call asks of the registry, and what it may do then.
import type { CallIdentity } from '../identity/call-identity.ts'
import type { Duplicate } from './guard/refusal.ts'
import type { Buyer } from './journal/opened.ts'
import type { SpendTool } from './row.ts'

/** One spend call, admitted. */
export interface SpendAsk {
  /** Null where nobody named the call, so that the router does. */
  identity: CallIdentity | null
  tool: SpendTool
  args: Record<string, unknown>
  /** On whose behalf; absent: whoever started the process. */
  principal?: string
  /** Whose the operation is that is asked for again, as its row says it. */
  owner?: string
  /** Who asks; null where the router itself asks again for an operation that waits. */
  buyer: Omit<Buyer, 'principal'> | null
  /** The earlier operation beside which the harness says that this purchase is meant. */
  confirms?: string | undefined
}

/** What a spend call may do now. */
export type SpendTurn =
  /** A terminal answer is stored: return it, ask nobody. */
  | ({ kind: 'stored'; result: string } & EarlierAnswer & AnsweringOperation)
  /** Hubu's refusal is stored: it is given again, and nobody is asked. */
  | ({ kind: 'refused'; refusal: SpendRefusal } & EarlierAnswer)
  /** An earlier purchase equals this one, and no second one is made. */
  | { kind: 'duplicate'; duplicate: Duplicate }
  /** The dispatch is ours; the mark is durable. */
  | ({
      kind: 'dispatch'
      operationKey: string
      taskId: string | null
      leaseId: string
      /** The call was dispatched before, so Hubu may have carried it out already. */
      isRepeated: boolean
      /** Hubu's last answer was that a human must decide. */
      isWaiting: boolean
      recordedAt: string | null
    } & AnsweringOperation)
  /** Another delivery of this very call is waiting for Hubu's answer. */
  | ({
      kind: 'busy'
      /** With it the call comes back. */
      identity: CallIdentity
      recordedAt: string | null
    } & AnsweringOperation)

/** Whether a stored answer may surprise who gets it. */
export interface EarlierAnswer {
  /** When it was stored, where another run of ours stored it or it is over a minute old; null for what is fresh. */
  earlierAt: string | null
  /** A call id of this client was used for two purchases within the last day. */
  idsRepeat: boolean
}

/** How a call and the operation that answers it belong together. */
export interface AnsweringOperation {
  handle: string
  /** The router named the operation itself. */
  isGuarded: boolean
  /** When the operation was first asked for, where this call has joined it; null for a call of its own. */
  joinedAt: string | null
  /** An earlier purchase that equals this one and did not keep it from being made. */
  similar: string | null
}

/** How Hubu ended an operation without deciding about it. */
export interface SpendRefusal {
  /** Nothing was carried out; or it was approved, and its authorization ran out before anything was paid. */
  code: 'spend_refused' | 'authorization_continuation_unavailable'
  /** What the agent was told, without secrets and private keys. */
  message: string
}

/** What a waiting delivery found when it began to wait: a result stored since then is the one that it waits for. */
export interface Seen {
  /** When the stored result was stored; null when there was none. */
  recordedAt: string | null
}

/** The present state of a dispatch, as a waiting delivery sees it. */
export interface DispatchView {
  /** Somebody who is alive waits for Hubu's answer. */
  isBusy: boolean
  /** The stored result when it was stored since `seen`; null otherwise. */
  news: string | null
}
