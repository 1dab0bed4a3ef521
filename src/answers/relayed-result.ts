import type { ContentBlock } from './answer.ts'

/** The first picture, sound or other blob of a result. */
export interface Media {
  readonly mediaType: string
  /** Decoded size. */
  readonly bytes: number
}

/** A picture of a kind that clients show; `data` is base64, and valid. */
export type Picture = Extract<ContentBlock, { type: 'image' }>

/**
 * A backend's success as the exact text that would be sent. It exists in pieces, so that a large one need never be in
 * memory whole.
 */
export interface RelayedResult {
  readonly kind: 'relayed'
  /**
   * The serialized result, well-formed JSON, in pieces of about 64 Ki characters at most. They are never cut inside a
   * surrogate pair; an empty one only marks a place to let others run. Every call begins anew and gives the same text.
   */
  pieces(): Iterable<string>
  /** All of it, where it is in memory anyway. */
  readonly whole?: string
  readonly isError: boolean
  /** The beginning of the first non-empty text block: whole, or more than `bytes` bytes of it. Empty: there is none. */
  firstText(bytes: number): string
  readonly media: Media | undefined
  /** Pictures that a client can show, in order; absent: none. */
  readonly pictures?: readonly Picture[]
}
