// Pure: what a token says of its own end, without believing it in anything else.
import { member, readJson } from '../json/read.ts'

/** When the JSON Web Token in a text ended, in ISO 8601; undefined for one that has not, that does not say, or that is opaque. */
export function expiredAt(text: string, nowMs: number): string | undefined {
  const payload = /(?:^|\s)eyJ[\w-]*\.([\w-]+)\.[\w-]*\s*$/.exec(text)?.[1]
  if (payload === undefined) return undefined
  const body = readJson(Buffer.from(payload, 'base64url'))
  const seconds = body.kind === 'json' ? member(body.value, 'exp') : undefined
  const endMs = typeof seconds === 'number' ? seconds * 1000 : Infinity
  return endMs <= nowMs ? new Date(endMs).toISOString() : undefined
}
