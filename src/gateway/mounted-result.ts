// A mounted server's result as its exact text, with what a receipt and the statistics tell of it (M 4.2).
import type { Media, RelayedResult } from '../answers/relayed-result.ts'
import { beginning, slices } from '../json/print.ts'

/** `value` is what the text was parsed to; unknown members and block types are nobody's business here. */
export function relayMountedResult(json: string, value: object): RelayedResult {
  return {
    kind: 'relayed',
    pieces: () => slices(json),
    whole: json,
    isError: (value as { isError?: unknown }).isError === true,
    // More characters than bytes asked for are more bytes, too.
    firstText: (bytes) => beginning(firstTextOf(value), bytes + 1),
    media: firstMediaOf(value),
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
    const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
    return { mediaType: holder.mimeType, bytes: Math.floor((data.length * 3) / 4) - padding }
  }
  return undefined
}

function blocksOf(value: object): Record<string, unknown>[] {
  const { content } = value as { content?: unknown }
  if (!Array.isArray(content)) return []
  return content.filter((block) => typeof block === 'object' && block !== null) as Record<string, unknown>[]
}
