/** The first picture, sound or other blob of a result. */
export interface Media {
  readonly mediaType: string
  /** Decoded size. */
  readonly bytes: number
}

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
}

/** Where a result comes from. */
export interface Origin {
  /** `hubu`, `gongbu` or a mounted server. */
  readonly server: string
  /** The tool's name at its server. */
  readonly tool: string
  /** The tool's name in tools/list. */
  readonly namespaced: string
}

/** One block of what this room answers. */
export type AnswerBlock =
  { type: 'text'; text: string } | { type: 'resource_link'; uri: string; name: string; mimeType: string; size: number }

/** A tool result made by this room. */
export interface AnswerResult {
  content: AnswerBlock[]
  structuredContent?: unknown
  isError?: boolean
}
