import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { deterministicId } from '../../../../src/sandbox/gongbu/executions/deterministic-id.ts'
import { greyJpeg, solidPng, vectorColour } from '../../../../src/sandbox/gongbu/provider/pictures.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('the pictures are the vectors byte for byte', () => {
  const pixel = solidPng(1, 1, vectorColour)
  expect(pixel.toString('base64')).toBe(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAEElEQVR4AQEFAPr/AAECA/8BFAEGUZo7bQAAAABJRU5ErkJggg==',
  )
  expect([pixel.length, sha256(pixel)]).toEqual([
    73,
    'd1c74d9fa6a257357a94654729be342d76509960f411a5f6aa70d4b73ce52b39',
  ])
  const large = solidPng(64, 64, vectorColour)
  expect([large.length, sha256(large)]).toEqual([
    16_516,
    'a05933dc369a0f1883e75ec81381d2ea449ac4effa340f94afb1955a52bc1641',
  ])
  expect(greyJpeg().toString('base64')).toBe(
    '/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
  )
})

test('a picture that does not fit one stored block is refused', () => {
  expect(() => solidPng(200, 200, vectorColour)).toThrow(RangeError)
})

test('ids are the known ones', () => {
  expect(deterministicId('claim', 48, 'demo-op')).toBe('claim-551766c440f40248')
  expect(deterministicId('settlement', 48, 'demo-op')).toBe('settlement-afa722973374a755')
  expect(deterministicId('request', 0, 'attempt-1')).toBe('request-fd62d047195a8744')
})
