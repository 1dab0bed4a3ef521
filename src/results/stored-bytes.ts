// Reads any part of a stored result at the same cost, wherever it is and however large the result.
import { chunkBytes } from './chunker.ts'
import type { Statements, StoredResult } from './statements.ts'
import { StoreFailure } from './store-failure.ts'

/** The bytes from `from` on, at most `count` of them. Throws StoreFailure when a chunk is missing. */
export function readBytes(
  statements: Pick<Statements, 'chunk'>,
  result: StoredResult,
  from: number,
  count: number,
): Buffer {
  const end = Math.min(result.totalBytes, from + count)
  const parts: Buffer[] = []
  for (let at = from; at < end;) {
    const sequence = Math.floor(at / chunkBytes)
    const chunk = statements.chunk(result.callId, sequence)
    const start = at - sequence * chunkBytes
    const part = chunk?.subarray(start, start + end - at)
    if (part === undefined || part.length === 0) throw new StoreFailure('damaged')
    parts.push(part)
    at += part.length
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
