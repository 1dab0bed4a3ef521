// A Hubu answer that is too large to be sent at once, and what becomes of it.
import type { ResultReceipt } from '#generated/types/router.js'
import type { Message } from './router-process.ts'

/** A ledger of so many rows. */
export const rows = (count: number) => ({
  transactions: Array.from({ length: count }, (_, n) => ({
    id: `txn-${n}`,
    description: `"row" ${n} é界😀`,
    cents: n,
  })),
})

/** What Hubu's answer is as a tool result, byte for byte. */
export const sentFor = (text: string) => {
  const value = JSON.parse(text) as object
  return JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value })
}

/** The receipt in an answer. */
export const receiptOf = ({ result }: Message) => result?.structuredContent as ResultReceipt
