// Pure: one bounded piece of a stored result.
import type { OkPage } from '#generated/types/router.js'
import { type ToolResult, dataAnswer } from '../answers/answer.ts'
import { fitsBudget, jsonBytes, pageLimitBytes } from './budget.ts'
import { beginsInside, characterStart, firstCharacterEnd, textCostBytes } from './characters.ts'
import type { StoredResult } from './statements.ts'

/** What a page is made for. */
export interface PageRequest {
  readonly result: Pick<StoredResult, 'callId' | 'totalBytes' | 'sha256'>
  /** From 0 to `totalBytes`. */
  readonly cursor: number
  readonly encoding: 'base64' | 'utf8'
  readonly budgetBytes: number
}

/** How many bytes from its cursor on a page may need; one character more than it can hold. */
export function pageReadBytes(budgetBytes: number): number {
  return pageLimitBytes(budgetBytes) + 4
}

/**
 * The page whose answer fits the budget, from the bytes at its cursor; undefined when it was asked for as text and the cursor
 * stands inside a character. The last page carries the hash; where both do not fit, its last bytes make a page of their own.
 */
export function toPage(request: PageRequest, bytes: Buffer): ToolResult | undefined {
  const isText = request.encoding === 'utf8'
  if (isText && beginsInside(bytes)) return undefined
  const length = isText ? textLength(request, bytes) : binaryLength(request, bytes)
  const page = pageOf(request, bytes, length)
  if (!page.done) return dataAnswer(page)
  const hashed = dataAnswer({ ...page, sha256: request.result.sha256 })
  if (fitsBudget(jsonBytes(hashed), request.budgetBytes)) return hashed
  const shorter = shortened(request, bytes, length)
  return dataAnswer(shorter ?? page)
}

/** The same page without its last character, if what it leaves would fit beside the hash. */
function shortened(request: PageRequest, bytes: Buffer, length: number): OkPage | undefined {
  const rest = characterStart(bytes, length - 1)
  if (rest <= 0) return undefined
  const last = { ...request, cursor: request.cursor + rest }
  const answer = dataAnswer({ ...pageOf(last, bytes.subarray(rest), length - rest), sha256: request.result.sha256 })
  return fitsBudget(jsonBytes(answer), request.budgetBytes) ? pageOf(request, bytes, rest) : undefined
}

function pageOf({ result, cursor, encoding, budgetBytes }: PageRequest, bytes: Buffer, length: number): OkPage {
  const isText = encoding === 'utf8'
  const nextCursor = cursor + length
  return {
    status: 'ok',
    callId: result.callId,
    mediaType: 'application/json',
    ...(isText && tellsEncoding(budgetBytes) && { encoding: 'utf8' as const }),
    data: bytes.toString(isText ? 'utf8' : 'base64', 0, length),
    cursor,
    nextCursor,
    done: nextCursor >= result.totalBytes,
    totalBytes: result.totalBytes,
  }
}

/** The smallest budgets leave no room to repeat what was asked for. */
function tellsEncoding(budgetBytes: number): boolean {
  return budgetBytes <= 0 || budgetBytes >= 640
}

function binaryLength(request: PageRequest, bytes: Buffer): number {
  let length = Math.min(bytes.length, pageLimitBytes(request.budgetBytes))
  while (length > 1 && !fits(request, bytes, length)) length = Math.max(1, length - 3)
  return length
}

/** Whole characters only, at least one: what is escaped in JSON costs up to thirteen times its size. */
function textLength(request: PageRequest, bytes: Buffer): number {
  const { budgetBytes } = request
  const limit = Math.min(bytes.length, pageLimitBytes(budgetBytes))
  let length = wholeCharacters(bytes, limit)
  if (budgetBytes > 0) {
    const room = budgetBytes - jsonBytes(dataAnswer(pageOf(request, bytes, 0)))
    length = wholeCharacters(bytes, Math.min(length, textCostBytes(bytes, room)))
    while (length > 1 && !fits(request, bytes, length)) length = characterStart(bytes, length - 1)
  }
  return length > 0 ? length : firstCharacterEnd(bytes)
}

function fits(request: PageRequest, bytes: Buffer, length: number): boolean {
  return fitsBudget(jsonBytes(dataAnswer(pageOf(request, bytes, length))), request.budgetBytes)
}

function wholeCharacters(bytes: Buffer, limit: number): number {
  return limit >= bytes.length ? bytes.length : characterStart(bytes, limit)
}
