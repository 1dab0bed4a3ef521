// Pure: what is told of a request that waits, or waits no more: a line, and a body for programs. Nothing in it was written by
// an agent: amounts, ids and names of the catalog only.
import { createHash } from 'node:crypto'
import { label } from '../terminal/foreign-text.ts'
import type { PendingSpend } from './hubu-approvals.ts'
import { amountText } from './review-text.ts'

/** What happened to a request. */
export interface ApprovalEvent {
  type: 'approval.waiting' | 'approval.decided'
  status: 'pending' | 'approved' | 'denied'
  atMs: number
  spend: PendingSpend
}

/** `13:44:47  waiting   2.50 USD  agt_…  25af…`; the time is that of this machine's zone. */
export function noticeLine({ status, atMs, spend }: ApprovalEvent): string {
  const time = new Date(atMs).toTimeString().slice(0, 8)
  const word = (status === 'pending' ? 'waiting' : status).padEnd(8)
  const amount = amountText(spend.authorized_max_cents, spend.currency)
  return label(`${time}  ${word}  ${amount}  ${spend.agent_id}  ${spend.workflow_id}`)
}

/** One JSON object, as hooks get it on stdin and `--json` prints it. */
export function noticeBody({ type, status, atMs, spend }: ApprovalEvent, isSandbox: boolean): object {
  const { workflow_id: id, authorized_max_cents: cents, agent_id: agent, account_id: account } = spend
  const text = amountText(cents, spend.currency)
  const happened = status === 'pending' ? 'waits for a human decision' : `was ${status} by a human`
  return {
    type,
    timestamp: new Date(atMs).toISOString(),
    text: `${text} ${happened} (agent ${plainId(agent) ?? 'unknown'}).`,
    data: {
      approval_request_id: plainId(id),
      status,
      amount: {
        minor: String(cents),
        text: text.slice(0, text.lastIndexOf(' ')),
        currency: spend.currency.toUpperCase(),
      },
      account_id: plainId(account),
      agent_id: plainId(agent),
      provider: plainId((spend.provider as { id?: unknown } | null | undefined)?.id),
      billing_merchant: plainId((spend.billing_merchant as { id?: unknown } | null | undefined)?.id),
      sandbox: isSandbox,
    },
  }
}

/** A body to try the channels with. */
export function testBody(atMs: number): object {
  return { type: 'test', timestamp: new Date(atMs).toISOString(), text: 'A test of approvals watch.', data: {} }
}

/** One name for one event in every process: the beginning of a hash in base32, without letters that look alike. */
export function eventId(type: string, approvalId: string): string {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz'
  let bits = ''
  for (const byte of createHash('sha256').update(`${type}\n${approvalId}`).digest())
    bits += byte.toString(2).padStart(8, '0')
  return Array.from({ length: 26 }, (_, at) => digits[Number.parseInt(bits.slice(at * 5, at * 5 + 5), 2)]).join('')
}

/** An id or a name of the catalog; null for a text that is none. */
function plainId(value: unknown): string | null {
  return typeof value === 'string' && /^[\w:.-]{1,128}$/.test(value) ? value : null
}
