/** One picture, sound or other file inside a tool result. */
export interface Blob {
  mediaType: string
  bytes: Buffer
}

interface Block {
  type?: unknown
  data?: unknown
  mimeType?: unknown
  resource?: { blob?: unknown; mimeType?: unknown } | null
}

/** The files in a stored result, in their order. Throws SyntaxError when it is no JSON. */
export function blobsIn(json: string): Blob[] {
  const { content } = JSON.parse(json) as { content?: unknown }
  if (!Array.isArray(content)) return []
  return (content as (Block | null)[]).flatMap((block) => {
    const { data, mimeType } = block?.type === 'resource' ? fromResource(block.resource) : (block ?? {})
    if (typeof data !== 'string') return []
    return [{ mediaType: typeof mimeType === 'string' ? mimeType : 'unknown', bytes: Buffer.from(data, 'base64') }]
  })
}

function fromResource(resource: Block['resource']): Pick<Block, 'data' | 'mimeType'> {
  return { data: resource?.blob, mimeType: resource?.mimeType }
}
