// Turns what backends answered into results whose exact text is known before it is measured.
import { textBlock, type ToolResult } from './answer.ts'
import type { Media, Picture, RelayedResult } from './relayed-result.ts'
import { beginning, slices } from '../json/pieces.ts'
import { rawMember } from '../json/scan.ts'
import { compactPieces, prettyPieces } from '../json/print-text.ts'
import { valuePieces } from '../json/print-value.ts'

/**
 * Hubu's success: its JSON as pretty text, and the same JSON again, printed from the text that Hubu sent. A `note` of ours is a text
 * block of its own after Hubu's.
 */
export function relayHubuAnswer(text: string, note?: string): RelayedResult {
  return {
    kind: 'relayed',
    *pieces() {
      yield '{"content":[{"type":"text","text":"'
      yield* prettyPieces(text, true)
      yield note === undefined ? '"}]' : `"},${JSON.stringify(textBlock(note))}]`
      yield ',"structuredContent":'
      yield* compactPieces(text)
      yield '}'
    },
    isError: false,
    firstText(bytes) {
      let start = ''
      for (const piece of prettyPieces(text, false)) {
        start += piece
        if (Buffer.byteLength(start) > bytes) break
      }
      return start
    },
    media: undefined,
  }
}

/** A result that exists as an object: what JSON.stringify makes of it is what is measured, stored and sent. */
export function relayObject(result: ToolResult): RelayedResult {
  return { ...toldOf(result), kind: 'relayed', pieces: () => valuePieces(result) }
}

/** A mounted server's result as its own text. `value` is what that was parsed to; unknown members and block types pass. */
export function relayText(json: string, value: object): RelayedResult {
  return { ...toldOf(value), kind: 'relayed', pieces: () => slices(json), whole: json, pictures: picturesOf(value) }
}

/** What clients show; another kind of data would be refused by them, or by the model behind them. */
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The pictures among the blocks of a result. */
export function picturesOf(result: object): Picture[] {
  return blocksOf(result).flatMap(({ type, data, mimeType }) =>
    type === 'image' && typeof data === 'string' && typeof mimeType === 'string' && isShown(data, mimeType)
      ? [{ type, data, mimeType }]
      : [],
  )
}

/** No model takes a larger one; in bytes of base64. */
const largestPictureBytes = 8 * 1024 * 1024

const isShown = (data: string, mimeType: string) =>
  shownTypes.has(mimeType) &&
  data.length > 0 &&
  data.length <= largestPictureBytes &&
  data.length % 4 === 0 &&
  /^[A-Za-z0-9+/]*={0,2}$/.test(data)

/** The same for a client that reads no structured content: where there is nothing else, that is a text as well. */
export function relayAsText(json: string, value: object): RelayedResult {
  const { content } = value as { content?: unknown }
  const structured = rawMember(json, 'structuredContent')
  if (structured === undefined || (Array.isArray(content) && content.length > 0)) return relayText(json, value)
  const told = { ...value, content: [textBlock(structured)] }
  const members = Object.keys(value)
    .filter((name) => name !== 'content')
    .map((name) => `,${JSON.stringify(name)}:${rawMember(json, name) ?? 'null'}`)
  return relayText(`{"content":${JSON.stringify(told.content)}${members.join('')}}`, told)
}

/** What a receipt and the usage tell of a result. */
function toldOf(result: object): Pick<RelayedResult, 'isError' | 'firstText' | 'media'> {
  return {
    isError: (result as { isError?: unknown }).isError === true,
    // More characters than bytes asked for are more bytes, too.
    firstText: (bytes) => beginning(firstTextOf(result), bytes + 1),
    media: firstMediaOf(result),
  }
}

/** The first text block that is not empty; empty when there is none. */
function firstTextOf(value: object): string {
  for (const { type, text } of blocksOf(value)) {
    if (type === 'text' && typeof text === 'string' && text !== '') return text
  }
  return ''
}

function firstMediaOf(value: object): Media | undefined {
  for (const block of blocksOf(value)) {
    const holder = block.type === 'resource' ? ((block.resource ?? {}) as Record<string, unknown>) : block
    const data = block.type === 'resource' ? holder.blob : holder.data
    if (typeof data !== 'string' || typeof holder.mimeType !== 'string') continue
    return { mediaType: holder.mimeType, bytes: decodedBytes(data) }
  }
  return undefined
}

function blocksOf(value: object): Record<string, unknown>[] {
  const { content } = value as { content?: unknown }
  if (!Array.isArray(content)) return []
  return content.filter((block) => typeof block === 'object' && block !== null) as Record<string, unknown>[]
}

/** The size of what a base64 text holds. */
function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor((base64.length * 3) / 4) - padding
}
