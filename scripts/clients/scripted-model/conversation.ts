/** A tool as a client offers it to its model. Codex puts those of a server into a namespace. */
export interface OfferedTool {
  name: string
  namespace?: string
}

/** What a client told its model of one call. */
export interface ToolResult {
  /** The id that the model gave the call, or the tool's name where the API has no ids. */
  callId: string
  text: string
  /** How many pictures stood in it. */
  pictures: number
}

/** One request for a model's turn, in what all APIs have in common. */
export interface Conversation {
  tools: OfferedTool[]
  /** In the order of the calls. */
  results: ToolResult[]
  /** The client wants nothing but JSON: a question of its own besides the user's. */
  wantsJson: boolean
}

/** What the model does next. */
export type Turn = { call: OfferedTool & { callId: string; args: object } } | { say: string }

/** An answer over HTTP: one JSON text, or server-sent events; a text in place of data is sent as it is. */
export type Reply = { json: object } | { events: { event?: string; data: object | string }[] }

/** One API of model vendors. */
export interface Dialect {
  /** Reads a request's body. */
  read(body: unknown): Conversation
  /** Words a turn; `id` is new for each answer. */
  answer(turn: Turn, request: { id: string; model: string; stream: boolean }): Reply
}

type Fields = Record<string, unknown>

/** A JSON object's members; none of anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** A JSON list's members as objects; none of anything else. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** A text, or '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Text and pictures of a content that is a text or a list of parts; `isPicture` tells by a part's type. */
export function readParts(
  content: unknown,
  isPicture: (type: string) => boolean,
): Pick<ToolResult, 'text' | 'pictures'> {
  if (typeof content === 'string') return { text: content, pictures: 0 }
  const parts = listOf(content)
  return {
    text: parts.map(({ text }) => textOf(text)).join('\n'),
    pictures: parts.filter(({ type }) => isPicture(textOf(type))).length,
  }
}
