// Pure: bearer credentials (G 1.2).
import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a header is exactly `Bearer ` and the token; compared in constant time over digests. */
export function isBearer(header: string | undefined, token: string): boolean {
  const presented = header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  return presented !== '' && timingSafeEqual(digest(presented), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
