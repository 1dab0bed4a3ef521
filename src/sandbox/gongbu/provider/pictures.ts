// Pure: deterministic images. No compression library is involved, so the bytes never change.
import { crc32 } from '../artifacts/crc32.ts'

/** Red, green, blue and alpha, 0 to 255. */
export type Colour = readonly [number, number, number, number]

/** The colour of all vectors. */
export const vectorColour: Colour = [1, 2, 3, 255]

/**
 * A PNG of one colour: RGBA, no filters, one stored deflate block. `promisedHeight` makes the header lie.
 * Throws a RangeError above 65 535 raw bytes.
 */
export function solidPng(width: number, height: number, colour: Colour, promisedHeight = height): Buffer {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => Buffer.from(colour))])
  const raw = Buffer.concat(Array.from({ length: height }, () => row))
  const header = Buffer.concat([uint32(width), uint32(promisedHeight), Buffer.from([8, 6, 0, 0, 0])])
  return png(header, [], raw)
}

/**
 * A PNG of up to four colours: two bits a pixel, no filters, one stored deflate block. `colourAt` gives the index of a
 * pixel's colour. The width is a multiple of four. Throws a RangeError above 65 535 raw bytes.
 */
export function palettePng(
  width: number,
  height: number,
  palette: readonly (readonly [number, number, number])[],
  colourAt: (x: number, y: number) => number,
): Buffer {
  const raw = Buffer.alloc(height * (1 + width / 4))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (1 + width / 4) + 1 + (x >> 2)
      raw[at] = (raw[at] ?? 0) | (colourAt(x, y) << (6 - 2 * (x & 3)))
    }
  }
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([2, 3, 0, 0, 0])])
  return png(header, [chunk('PLTE', Buffer.from(palette.flat()))], raw)
}

function png(header: Buffer, before: readonly Buffer[], raw: Buffer): Buffer {
  if (raw.length > 0xffff) throw new RangeError('the picture does not fit one stored block')
  const block = Buffer.alloc(5)
  block.writeUInt8(1, 0)
  block.writeUInt16LE(raw.length, 1)
  block.writeUInt16LE(0xffff - raw.length, 3)
  const stream = Buffer.concat([Buffer.from([0x78, 0x01]), block, raw, uint32(adler32(raw))])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...before,
    chunk('IDAT', stream),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The JPEG vector: baseline, one mid-grey pixel, 141 bytes. */
export function greyJpeg(): Buffer {
  const ones = Buffer.alloc(64, 1)
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    Buffer.from('ffdb004300', 'hex'),
    ones,
    Buffer.from('ffc0000b080001000101011100', 'hex'),
    Buffer.from(`ffc400140001${'00'.repeat(15)}00`, 'hex'),
    Buffer.from(`ffc400141001${'00'.repeat(15)}00`, 'hex'),
    Buffer.from('ffda0008010100003f00', 'hex'),
    Buffer.from('3f', 'hex'),
    Buffer.from('ffd9', 'hex'),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function adler32(bytes: Buffer): number {
  let low = 1
  let high = 0
  for (const byte of bytes) {
    low = (low + byte) % 65_521
    high = (high + low) % 65_521
  }
  return high * 65_536 + low
}
