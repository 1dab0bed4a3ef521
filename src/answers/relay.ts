// Turns what backends answered into results whose exact text is known before it is measured (M 4.2).
import type { Media, RelayedResult } from './relayed-result.ts'
import { beginning, compactPieces, prettyPieces } from '../json/print.ts'
import type { ContentBlock, ToolResult } from './tool-result.ts'
import { valuePieces } from '../json/value-pieces.ts'

/** Hubu's success: its JSON as pretty text, and the same JSON again, printed from the text that Hubu sent (R 2.7). */
export function relayHubuAnswer(text: string): RelayedResult {
  return {
    kind: 'relayed',
    *pieces() {
      yield '{"content":[{"type":"text","text":"'
      yield* prettyPieces(text, true)
      yield '"}],"structuredContent":'
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
  return {
    kind: 'relayed',
    pieces: () => valuePieces(result),
    isError: result.isError === true,
    // More characters than bytes asked for are more bytes, too.
    firstText: (bytes) => beginning(result.content.find(isFilledText)?.text ?? '', bytes + 1),
    media: firstMedia(result.content),
  }
}

function isFilledText(block: ContentBlock): block is ContentBlock & { type: 'text' } {
  return block.type === 'text' && block.text !== ''
}

function firstMedia(content: readonly ContentBlock[]): Media | undefined {
  const image = content.find((block) => block.type === 'image')
  return image && { mediaType: image.mimeType, bytes: decodedBytes(image.data) }
}

/** The size of what a base64 text holds. */
function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor((base64.length * 3) / 4) - padding
}
