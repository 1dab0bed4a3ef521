// Pure: what is said instead of a result that does not fit.
import type { ResultReceipt } from '#generated/types/router.js'
import { fitsBudget, jsonBytes } from './budget.ts'
import type { ContentBlock, Origin, ToolResult } from '../answers/answer.ts'
import type { RelayedResult } from '../answers/relayed-result.ts'
import { resultUri } from './result-uri.ts'

/** A stored result, as far as its receipt tells of it. */
export interface ReceiptFacts extends Pick<RelayedResult, 'isError' | 'firstText' | 'media'> {
  readonly callId: string
  readonly origin: Origin
  readonly originalBytes: number
  readonly budgetBytes: number
  readonly sha256: string
  /** Whether get_result can give a picture of it back. */
  readonly hasPictures: boolean
  /** Whether the client knows resource links (MCP 2025-06-18 and later). */
  readonly knowsLinks: boolean
}

/**
 * The receipt, never over a budget of at least 512 bytes. What remains of the budget then takes the hash, a
 * picture's type and size, and a resource link, in this order and each only if it fits.
 */
export function toReceipt(facts: ReceiptFacts): ToolResult {
  const fits = (draft: Draft) => fitsBudget(jsonBytes(toResult(facts, draft)), facts.budgetBytes)
  const full: Draft = { full: true }
  let draft = withPreview(facts, fits(full) ? full : { full: false })
  for (const extra of extras(facts)) {
    const richer = { ...draft, ...extra }
    if (fits(richer)) draft = richer
  }
  return toResult(facts, draft)
}

interface Draft {
  /** Whether origin and next step are told. */
  full: boolean
  preview?: string
  sha256?: string
  media?: { mediaType: string; mediaBytes: number }
  link?: ContentBlock
}

function withPreview(facts: ReceiptFacts, draft: Draft): Draft {
  const { budgetBytes } = facts
  // Six is the longest that one byte of text becomes in JSON.
  let room = Math.floor((budgetBytes - jsonBytes(toResult(facts, draft))) / 6)
  const beginning = room >= 4 ? facts.firstText(room) : ''
  while (room >= 4) {
    const preview = cutText(beginning, room)
    if (preview === '') return draft
    const richer = { ...draft, preview }
    if (jsonBytes(toResult(facts, richer)) <= budgetBytes) return richer
    room = Math.floor(room / 2)
  }
  return draft
}

/** The text, if it has at most so many bytes, else its longest beginning that leaves room for an ellipsis. */
export function cutText(text: string, maxBytes: number): string {
  const whole = text.toWellFormed()
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  if (maxBytes <= 3) return ''
  const bytes = Buffer.from(whole.slice(0, maxBytes))
  let end = maxBytes - 3
  // A byte of the form 10xxxxxx continues a character.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return end === 0 ? '' : `${bytes.toString('utf8', 0, end)}…`
}

function extras({ callId, sha256, media, originalBytes, knowsLinks }: ReceiptFacts): Partial<Draft>[] {
  const found: Partial<Draft>[] = [{ sha256 }]
  // Whatever else a server calls a type is its own text, and no type.
  if (media !== undefined && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(media.mediaType))
    found.push({ media: { mediaType: media.mediaType, mediaBytes: media.bytes } })
  if (knowsLinks) {
    const uri = resultUri(callId)
    const name = `result ${callId}`
    found.push({ link: { type: 'resource_link', uri, name, mimeType: 'application/json', size: originalBytes } })
  }
  return found
}

function toResult(facts: ReceiptFacts, draft: Draft): ToolResult {
  const { callId, originalBytes, budgetBytes, origin } = facts
  const { server, tool, namespaced } = origin
  const receipt: ResultReceipt = {
    status: 'stored',
    callId,
    ...(draft.full && { server, tool, namespaced }),
    originalBytes,
    budgetBytes,
    ...(draft.preview !== undefined && { preview: draft.preview }),
    ...(draft.full && { nextAction: 'Call get_result from cursor 0; repeat with nextCursor while done is false.' }),
    ...(draft.sha256 !== undefined && { sha256: draft.sha256 }),
    ...draft.media,
  }
  const shows = facts.hasPictures ? ' encoding=image shows it.' : ''
  const picture = draft.media && ` It holds ${draft.media.mediaType} of ${draft.media.mediaBytes} bytes.${shows}`
  const text =
    `Large output saved (${originalBytes} bytes, limit ${budgetBytes}). ` +
    `Fetch pages with get_result, callId=${callId}, cursor=0.${picture ?? ''}`
  return {
    content: [{ type: 'text', text }, ...(draft.link === undefined ? [] : [draft.link])],
    structuredContent: receipt,
    ...(facts.isError && { isError: true }),
  }
}
