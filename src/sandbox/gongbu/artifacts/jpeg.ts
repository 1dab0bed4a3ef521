// Pure: reads a JPEG's structure: its segments from start to end, its size, and that its scans are complete. Coefficients are
// not decoded; a file that is cut or whose segments do not add up is found all the same.
import type { PictureHeader } from './picture-header.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
/** Baseline, extended and progressive frames; the lossless and arithmetic ones are not common enough to be taken. */
const frames = new Set([0xc0, 0xc1, 0xc2])

interface Segment {
  marker: number
  data: Buffer
  end: number
}

/** The header of a JPEG, or undefined when the bytes are none. Bytes after the end are allowed, as for PNG. */
export function readJpeg(bytes: Buffer): PictureHeader | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return undefined
  for (let at = 2; ;) {
    const segment = segmentAt(bytes, at)
    if (segment === undefined || segment.marker === startOfScan) return undefined
    if (frames.has(segment.marker)) return headerOf(bytes, segment)
    at = segment.end
  }
}

function headerOf(bytes: Buffer, frame: Segment): PictureHeader | undefined {
  const { data } = frame
  if (data.length < 6 || data.length !== 6 + 3 * (data[5] ?? 0)) return undefined
  return {
    height: data.readUInt16BE(1),
    width: data.readUInt16BE(3),
    isSound: () => hasCompleteScans(bytes, frame.end),
  }
}

/** Whether from the frame on there are only whole segments and scans, with the end marker after at least one scan. */
function hasCompleteScans(bytes: Buffer, from: number): boolean {
  let scans = 0
  for (let at = from; ;) {
    if (bytes[at] === 0xff && bytes[at + 1] === endOfImage) return scans > 0
    const segment = segmentAt(bytes, at)
    if (segment === undefined) return false
    at = segment.end
    if (segment.marker !== startOfScan) continue
    const end = scanEnd(bytes, at)
    if (end === undefined || end === at) return false
    scans += 1
    at = end
  }
}

/** Where the entropy-coded bytes end: at the next marker that is neither a stuffed zero nor a restart. */
function scanEnd(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return undefined
}

function segmentAt(bytes: Buffer, from: number): Segment | undefined {
  let at = from
  while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1
  if (bytes[at] !== 0xff || bytes.length < at + 4) return undefined
  const marker = bytes[at + 1] ?? 0
  const end = at + 2 + bytes.readUInt16BE(at + 2)
  if (marker < 0xc0 || marker === startOfImage || marker === endOfImage || end < at + 4 || end > bytes.length)
    return undefined
  return { marker, data: bytes.subarray(at + 4, end), end }
}
