// What one message asks of us.
import type { Findings } from '../json/findings.ts'

/** A message, told apart. `rawId` is the exact text of its id. */
export type Incoming =
  | IncomingRequest
  /** A well-formed message without an id. */
  | { kind: 'notification'; method: string; params: unknown; rawRequestId: string | undefined }
  /** An answer to a request of ours, if its id is one. Never answered, whatever is wrong with it. */
  | { kind: 'response'; answer: { id: unknown; result?: unknown; error?: unknown } }
  /** No JSON-RPC message, or no proper request: answered with this error. */
  | { kind: 'error'; rawId: string; code: number; message: string }
  /** It has no id that an answer could carry: no reply, whatever is wrong with it. */
  | { kind: 'silent' }

/** A request, with what its parsed form no longer shows. */
export interface IncomingRequest {
  kind: 'request'
  rawId: string
  id: unknown
  method: string
  params: unknown
  findings: Findings
  /** The raw text of `params._meta.progressToken`, when that is a string or an integer. */
  progressToken: string | undefined
  /** A member of the message itself is given twice. */
  repeatsMember: boolean
}
