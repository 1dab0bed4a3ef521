// Large contents in pieces, so that no second copy of them is ever in memory.
import { createHash } from 'node:crypto'
import { readSync, writeSync } from 'node:fs'

const chunkBytes = 1024 * 1024

/** SHA-256 of bytes, or of a text's UTF-8, in lowercase hex. */
export function sha256(content: string | Uint8Array): string {
  const hash = createHash('sha256')
  for (const part of bytesOf(content)) hash.update(part)
  return hash.digest('hex')
}

/** SHA-256 of an open file from its start, in lowercase hex. */
export function sha256OfDescriptor(descriptor: number): string {
  const hash = createHash('sha256')
  for (const part of partsIn(descriptor)) hash.update(part)
  return hash.digest('hex')
}

/** Writes a content to an open file. */
export function writeWhole(descriptor: number, content: string | Uint8Array): void {
  for (const part of bytesOf(content)) writeAll(descriptor, part)
}

/** Copies an open file from its start to another one. */
export function copyWhole(from: number, to: number): void {
  for (const part of partsIn(from)) writeAll(to, part)
}

/** Pieces of a text's UTF-8, each in the place of the one before; none ends within a character. */
function* bytesOf(content: string | Uint8Array): Iterable<Uint8Array> {
  if (typeof content !== 'string') return yield content
  const most = chunkBytes / 4
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, 3 * content.length + 4))
  for (let at = 0; at < content.length;) {
    let end = Math.min(at + most, content.length)
    if (end < content.length && /[\ud800-\udbff]/.test(content[end - 1]!)) end++
    yield buffer.subarray(0, buffer.write(content.slice(at, end)))
    at = end
  }
}

function* partsIn(descriptor: number): Iterable<Buffer> {
  const buffer = Buffer.alloc(chunkBytes)
  for (let at = 0; ;) {
    const read = readSync(descriptor, buffer, 0, chunkBytes, at)
    if (read === 0) return
    yield buffer.subarray(0, read)
    at += read
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}
