// What the edge itself refuses. A refusal tells one word and nothing of what was sent.

/** Why, for the log and the counters. */
export type RefusalReason =
  | 'host'
  | 'origin'
  | 'framing'
  | 'unauthorized'
  | 'forbidden'
  | 'too_large'
  | 'too_many'
  | 'draining'
  | 'header_mismatch'

/** An answer of the edge's own. */
export interface EdgeRefusal {
  readonly kind: 'refusal'
  readonly status: number
  /** The member `error` of the body; undefined: no body. */
  readonly word?: string
  /** The connection ends with it, and nothing behind it on the connection is answered. */
  readonly closes?: true
  readonly headers?: Readonly<Record<string, string>>
  readonly reason?: RefusalReason
}

/** A request that two readers could understand differently. */
export const badFraming: EdgeRefusal = {
  kind: 'refusal',
  status: 400,
  word: 'bad_request',
  closes: true,
  reason: 'framing',
}

/** No such place; says nothing else. */
export const notFound: EdgeRefusal = { kind: 'refusal', status: 404 }

/** A word with its status, and whatever the answer needs besides. */
export function refusal(status: number, word: string, more: Partial<EdgeRefusal> = {}): EdgeRefusal {
  return { ...more, kind: 'refusal', status, word }
}

/** The process ends, or is full: another one, or the same one later, can serve. */
export function comeLater(
  status: 429 | 503,
  word: string,
  seconds: number,
  more: Partial<EdgeRefusal> = {},
): EdgeRefusal {
  return refusal(status, word, { ...more, headers: { 'Retry-After': String(seconds) } })
}
