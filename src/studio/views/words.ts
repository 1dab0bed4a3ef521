// The words that all views are made of, for the server and for the page. Types only.

/** RFC 3339, UTC, with milliseconds and `Z`. */
export type Instant = string

/** `{"minor":"250","text":"2.50","currency":"USD"}`; digits as texts, because a JSON number would be rounded. */
export interface Amount {
  minor: string
  text: string
  currency: string
}

/** A piece of a text that somebody else wrote: signs that can be seen, or the number of one that cannot. */
export type QuotedPart = { t: string } | { u: string }

/** A text that somebody else wrote, cut into what may be shown. `bytes` and `lines` are those of the whole text. */
export interface Quoted {
  parts: QuotedPart[]
  bytes: number
  lines: number
}

/** Why a part of the page has nothing to show. */
export type OffCode =
  | 'not_configured'
  | 'not_running'
  | 'unavailable'
  | 'unauthorized'
  | 'incompatible'
  | 'missing'
  | 'busy'
  | 'unreadable'
  | 'not_offered'
  | 'no_capability'

/** A part that cannot be shown: what is missing, and the one thing to do. Neither holds a path, an endpoint or a token. */
export interface Off {
  state: 'off'
  code: OffCode
  message: string
  remedy: string | null
}

/** A view, or why there is none: every part of the page fails alone. */
export type Part<T> = ({ state: 'ready' } & T) | Off

/** An agent by its id, and by the name that somebody gave it. */
export interface AgentName {
  id: string
  name: Quoted | null
}

/** What can be read anew. */
export type Topic = 'inbox' | 'operations' | 'money' | 'results' | 'usage' | 'servers' | 'health' | 'notices'
