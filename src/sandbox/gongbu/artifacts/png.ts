// Pure: reads a PNG as far as its soundness needs: chunks with their checksums, and as many pixels as the header promises.
import { inflateSync } from 'node:zlib'
import { crc32 } from './crc32.ts'
import type { PictureHeader } from './picture-header.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
/** Adam7: where each pass starts and how far it steps, across and down. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

interface Header {
  width: number
  height: number
  bitsPerPixel: number
  interlaced: boolean
}

interface Chunk {
  type: string
  data: Buffer
}

/** The header of a PNG, or undefined when the bytes are none. Bytes after the end are allowed. */
export function readPng(bytes: Buffer): PictureHeader | undefined {
  if (!bytes.subarray(0, 8).equals(signature)) return undefined
  const first = chunkAt(bytes, 8)
  const header = first?.type === 'IHDR' ? readHeader(first.data) : undefined
  if (header === undefined) return undefined
  return { width: header.width, height: header.height, isSound: () => isSound(bytes, header) }
}

function readHeader(data: Buffer): Header | undefined {
  if (data.length !== 13) return undefined
  const [depth = 0, colour = 0, compression, filter, interlace] = data.subarray(8)
  if (!depths[colour]?.includes(depth) || compression !== 0 || filter !== 0) return undefined
  if (interlace !== 0 && interlace !== 1) return undefined
  return {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    bitsPerPixel: depth * (channels[colour] ?? 0),
    interlaced: interlace === 1,
  }
}

/** The chunk at an offset; undefined when it is cut or its checksum is wrong. */
function chunkAt(bytes: Buffer, at: number): Chunk | undefined {
  if (bytes.length < at + 12) return undefined
  const end = at + 8 + bytes.readUInt32BE(at)
  if (bytes.length < end + 4 || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined
  return { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) }
}

function isSound(bytes: Buffer, header: Header): boolean {
  const data: Buffer[] = []
  for (let at = 8; ;) {
    const chunk = chunkAt(bytes, at)
    if (chunk === undefined) return false
    if (chunk.type === 'IEND') break
    if (chunk.type === 'IDAT') data.push(chunk.data)
    at += 12 + chunk.data.length
  }
  const rows = rowLengths(header)
  const expected = rows.reduce((total, { bytes: length, count }) => total + length * count, 0)
  try {
    const raw = inflateSync(Buffer.concat(data), { maxOutputLength: expected + 1 })
    return raw.length === expected && hasKnownFilters(raw, rows)
  } catch {
    return false
  }
}

/** How many rows of how many bytes (filter byte included) the pixels take, pass by pass. */
function rowLengths({ width, height, bitsPerPixel, interlaced }: Header): { bytes: number; count: number }[] {
  const rows = (w: number, h: number) => ({ bytes: 1 + Math.ceil((w * bitsPerPixel) / 8), count: h })
  if (!interlaced) return [rows(width, height)]
  return passes
    .map(([left, top, across, down]) => rows(Math.ceil((width - left) / across), Math.ceil((height - top) / down)))
    .filter(({ bytes, count }) => bytes > 1 && count > 0)
}

function hasKnownFilters(raw: Buffer, rows: readonly { bytes: number; count: number }[]): boolean {
  let at = 0
  for (const { bytes, count } of rows) {
    for (let row = 0; row < count; row += 1, at += bytes) if ((raw[at] ?? 5) > 4) return false
  }
  return true
}
