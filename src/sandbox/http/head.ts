// Pure: the bytes of a request head in, its parts or the reason for refusing it out. Stricter than node:http where Hubu
// is (repeated headers, no chunked bodies) and laxer where Hubu is (blanks, `Content-Length: +2`).

/** A request head, understood. `contentLength` is what the client declared, however large. */
export interface RequestHead {
  method: string
  target: string
  path: string
  query: string
  version: 'HTTP/1.0' | 'HTTP/1.1'
  headers: readonly (readonly [string, string])[]
  contentLength: number
}

/** What became of the bytes of a head. `reason` is safe to send to the client. */
export type ParsedHead = { kind: 'head'; head: RequestHead } | { kind: 'malformed'; reason: string }

/**
 * Reads a request head, given without its closing blank line.
 * Names and values of headers are trimmed, names keep their case.
 */
export function parseHead(bytes: Uint8Array): ParsedHead {
  const text = decodeUtf8(bytes)
  if (text === undefined) return malformed('the request head is not UTF-8')
  const [requestLine = '', ...headerLines] = text.split('\r\n')
  const words = requestLine.split(/[ \t]+/).filter((word) => word !== '')
  const [method, target, version] = words
  if (words.length !== 3 || method === undefined || target === undefined) return malformed('malformed request line')
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') return malformed('unsupported HTTP version')
  const headers: [string, string][] = []
  const seen = new Map<string, string>()
  for (const line of headerLines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim()
    if (name === '') return malformed('malformed header line')
    const key = name.toLowerCase()
    if (seen.has(key)) return malformed('repeated header')
    const value = line.slice(colon + 1).trim()
    seen.set(key, value)
    headers.push([name, value])
  }
  if (seen.has('transfer-encoding')) return malformed('transfer encodings are not supported')
  const declared = seen.get('content-length') ?? '0'
  if (!/^\+?[0-9]+$/.test(declared)) return malformed('malformed content length')
  const mark = target.indexOf('?')
  return {
    kind: 'head',
    head: {
      method,
      target,
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      version,
      headers,
      contentLength: Number(declared),
    },
  }
}

/** The text of strictly valid UTF-8, byte order mark included, or undefined. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function malformed(reason: string): ParsedHead {
  return { kind: 'malformed', reason }
}
