// Secrets of the page are kept as digests only, and compared in constant time.
import { createHash, timingSafeEqual } from 'node:crypto'

/** What is kept of a secret. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** The first entry whose digest this is; every one is compared. */
export function findDigest<T>(entries: Iterable<T>, digest: Buffer, of: (entry: T) => Buffer): T | undefined {
  let found: T | undefined
  for (const entry of entries) if (timingSafeEqual(of(entry), digest) && found === undefined) found = entry
  return found
}

/** 43 characters of base64url: the form of every secret of the page. */
export const secretForm = /^[A-Za-z0-9_-]{43}$/
