// A provider that does what `input.options` says: for trying out artifact intake, usage and failure classes.
//   images: [kind…]        what it hands over; default one `png`
//   usage: n | null | 'none'   what it reports; default as many as it hands over
//   outcome: 'release:CODE' | 'release-with-id:CODE' | 'reconcile:CODE' | 'hang' | 'panic'
//   request: ID | 'none', operation: ID      its ids; default a fresh request id
//   amount: n, currency: 'none'              the price that it reports
import type { ProviderImage } from '../artifacts/store.ts'
import { isObject } from '../json/canonical.ts'
import { JsonNumber, type Json, type JsonObject } from '../json/json-text.ts'
import { deterministicId } from '../executions/deterministic-id.ts'
import { never } from './unanswered.ts'
import { checkImageInput } from './input-check.ts'
import { greyJpeg, solidPng, vectorColour } from './pictures.ts'
import type { Provider, ProviderIds, ProviderResult, ProviderWork } from './provider.ts'

/** Creates the provider. */
export function createScriptedProvider(): Provider {
  return {
    preflight: ({ input, inputSchemaVersion }) => checkImageInput(input, inputSchemaVersion),
    async invoke(work, signal) {
      const options = work.input.get('options')
      const script: JsonObject = isObject(options) ? options : new Map()
      const [outcome, code = ''] = splitOnce(textOf(script.get('outcome')) ?? 'succeed')
      const ids = idsOf(script, work)
      switch (outcome) {
        case 'release':
          return { kind: 'failed', code }
        case 'release-with-id':
          return { kind: 'failed', code, ...ids }
        case 'reconcile':
          return { kind: 'ambiguous', code }
        case 'hang':
          return never(signal)
        case 'panic':
          throw new Error('the provider was told to panic')
        default:
          return success(script, ids)
      }
    },
  }
}

function success(script: JsonObject, ids: ProviderIds): ProviderResult {
  const kinds = script.get('images')
  const images = (Array.isArray(kinds) ? (kinds as Json[]) : ['png']).map((kind) => picture(textOf(kind) ?? ''))
  const amount = numberOf(script.get('amount'))
  const usage = script.get('usage')
  return {
    kind: 'succeeded',
    images,
    usage: usage === 'none' ? undefined : { images: usage === null ? null : (numberOf(usage) ?? images.length) },
    ...ids,
    ...(amount === undefined
      ? {}
      : { price: { amountMinor: amount, ...(script.get('currency') === 'none' ? {} : { currency: 'USD' }) } }),
  }
}

function idsOf(script: JsonObject, work: ProviderWork): ProviderIds {
  const request = textOf(script.get('request')) ?? deterministicId('request', 0, work.attemptId)
  const operation = textOf(script.get('operation'))
  return {
    ...(request === 'none' ? {} : { requestId: request }),
    ...(operation === undefined ? {} : { operationId: operation }),
  }
}

/** Sound pictures, and pictures with one thing wrong. Throws on a kind that it does not know. */
function picture(kind: string): ProviderImage {
  const pixel = solidPng(1, 1, vectorColour)
  const png = (bytes: Buffer): ProviderImage => ({ mediaType: 'image/png', bytes })
  switch (kind) {
    case 'png':
      return png(pixel)
    case 'jpeg':
      return { mediaType: 'image/jpeg', bytes: greyJpeg() }
    case 'solid-64':
      return png(solidPng(64, 64, vectorColour))
    case 'trailing':
      return png(Buffer.concat([pixel, Buffer.from('tail')]))
    case 'jpeg-as-png':
      return png(greyJpeg())
    case 'png-as-jpeg':
      return { mediaType: 'image/jpeg', bytes: pixel }
    case 'gif':
      return { mediaType: 'image/gif', bytes: gif() }
    case 'gif-as-png':
      return png(gif())
    case 'upper-type':
      return { mediaType: 'IMAGE/PNG', bytes: pixel }
    case 'type-with-parameter':
      return { mediaType: 'image/png; q=1', bytes: pixel }
    case 'truncated':
      return png(pixel.subarray(0, -6))
    case 'bad-crc':
      return png(Buffer.concat([pixel.subarray(0, 29), Buffer.from([0, 0, 0, 0]), pixel.subarray(33)]))
    case 'empty':
      return png(Buffer.alloc(0))
    case 'wide':
      return png(solidPng(16_385, 0, vectorColour, 1))
    case 'decoded-too-big':
      return png(solidPng(16_000, 0, vectorColour, 16_000))
    default:
      throw new Error('unknown kind of picture')
  }
}

/** A GIF of one pixel. */
function gif(): Buffer {
  return Buffer.from('474946383961010001008000000000000000002c00000000010001000002024401003b', 'hex')
}

function splitOnce(text: string): [string, string?] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text] : [text.slice(0, colon), text.slice(colon + 1)]
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: Json | undefined): number | undefined {
  return value instanceof JsonNumber ? Number(value.literal) : undefined
}
