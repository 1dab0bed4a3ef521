import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { crc32 } from '../../../../src/sandbox/gongbu/artifacts/crc32.ts'
import { takeIn } from '../../../../src/sandbox/gongbu/artifacts/intake.ts'
import { greyJpeg, solidPng, vectorColour } from '../../../../src/sandbox/gongbu/provider/pictures.ts'

const limits = {
  maximumArtifacts: 4,
  maximumArtifactBytes: 20_971_520,
  maximumDecodedBytes: 104_857_600,
  maximumSidePixels: 16_384,
}
const pixel = solidPng(1, 1, vectorColour)
const refused = { kind: 'refused' }
const accepted = (width: number, height: number) => ({ kind: 'accepted', width, height })

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A PNG with a header of choice and its raw rows compressed. */
function png(width: number, height: number, [depth, colour, interlace]: [number, number, number], raw: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, interlace], 8)
  const end = chunk('IEND', Buffer.alloc(0))
  return Buffer.concat([pixel.subarray(0, 8), chunk('IHDR', header), chunk('IDAT', deflateSync(raw)), end])
}

test('the checksum of the empty end chunk is the known one', () => {
  expect(crc32(Buffer.from('IEND')).toString(16)).toBe('ae426082')
})

test('the test vectors come in with their size', () => {
  expect(takeIn('image/png', pixel, limits)).toEqual(accepted(1, 1))
  expect(takeIn('image/png', solidPng(64, 64, vectorColour), limits)).toEqual(accepted(64, 64))
  expect(takeIn('image/jpeg', greyJpeg(), limits)).toEqual(accepted(1, 1))
  expect(takeIn('image/png', Buffer.concat([pixel, Buffer.from('tail')]), limits)).toEqual(accepted(1, 1))
})

test('the declared type is taken literally', () => {
  for (const type of ['image/jpeg', 'IMAGE/PNG', 'image/png; q=1', ' image/png', 'image/gif', '', 'constructor'])
    expect(takeIn(type, pixel, limits), type).toEqual(refused)
  expect(takeIn('image/png', greyJpeg(), limits)).toEqual(refused)
  expect(takeIn('image/png', Buffer.alloc(0), limits)).toEqual(refused)
})

test('limits hold exactly', () => {
  const two = solidPng(2, 3, vectorColour)
  expect(takeIn('image/png', two, { ...limits, maximumSidePixels: 3 })).toEqual(accepted(2, 3))
  expect(takeIn('image/png', two, { ...limits, maximumSidePixels: 2 })).toEqual(refused)
  expect(takeIn('image/png', two, { ...limits, maximumDecodedBytes: 24 })).toEqual(accepted(2, 3))
  expect(takeIn('image/png', two, { ...limits, maximumDecodedBytes: 23 })).toEqual(refused)
  expect(takeIn('image/png', two, { ...limits, maximumArtifactBytes: two.length })).toEqual(accepted(2, 3))
  expect(takeIn('image/png', two, { ...limits, maximumArtifactBytes: two.length - 1 })).toEqual(refused)
  expect(takeIn('image/png', solidPng(16_385, 0, vectorColour, 1), limits)).toEqual(refused)
  expect(takeIn('image/png', solidPng(16_000, 0, vectorColour, 16_000), limits)).toEqual(refused)
})

test('a PNG that is cut anywhere, or has any byte changed, is refused or still has its size', () => {
  for (let length = 0; length < pixel.length; length += 1)
    expect(takeIn('image/png', pixel.subarray(0, length), limits), `${length}`).toEqual(refused)
  for (let at = 0; at < pixel.length; at += 1) {
    const changed = Buffer.from(pixel)
    changed[at] = (changed[at] ?? 0) ^ 0x55
    expect(takeIn('image/png', changed, limits), `${at}`).toEqual(refused)
  }
})

test('a JPEG that is cut anywhere is refused', () => {
  const jpeg = greyJpeg()
  for (let length = 0; length < jpeg.length; length += 1)
    expect(takeIn('image/jpeg', jpeg.subarray(0, length), limits), `${length}`).toEqual(refused)
})

test('a PNG must have as many pixels as its header promises', () => {
  const grey: [number, number, number] = [8, 0, 0]
  expect(takeIn('image/png', png(2, 2, grey, Buffer.from([0, 1, 2, 4, 3, 4])), limits)).toEqual(accepted(2, 2))
  expect(takeIn('image/png', png(2, 2, grey, Buffer.from([0, 1, 2, 4, 3])), limits)).toEqual(refused)
  expect(takeIn('image/png', png(2, 2, grey, Buffer.from([0, 1, 2, 4, 3, 4, 0])), limits)).toEqual(refused)
  expect(takeIn('image/png', png(2, 2, grey, Buffer.from([0, 1, 2, 5, 3, 4])), limits)).toEqual(refused)
  expect(takeIn('image/png', png(2, 2, [3, 0, 0], Buffer.from([0, 1, 2, 4, 3, 4])), limits)).toEqual(refused)
})

test('packed and interlaced pixels are counted as PNG packs them', () => {
  expect(takeIn('image/png', png(9, 1, [1, 0, 0], Buffer.from([0, 255, 128])), limits)).toEqual(accepted(9, 1))
  expect(takeIn('image/png', png(1, 1, [16, 6, 0], Buffer.alloc(9)), limits)).toEqual(accepted(1, 1))
  expect(takeIn('image/png', png(3, 1, [8, 0, 1], Buffer.from([0, 1, 0, 3, 0, 2])), limits)).toEqual(accepted(3, 1))
  expect(takeIn('image/png', png(3, 1, [8, 0, 1], Buffer.from([0, 1, 3, 2])), limits)).toEqual(refused)
})
