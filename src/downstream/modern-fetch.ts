// Requests of the modern era over HTTP: each is a POST of its own, whose headers repeat what its body says, and closing it cancels it.
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isObject, member } from '../json/read.ts'
import { mirroredValue, type MirroredArgument } from '../names/mirrored-arguments.ts'
import { modernRevision } from './modern-server.ts'

/** Gives which arguments of a tool its calls repeat in headers. */
export type MirroredOf = (tool: string) => readonly MirroredArgument[]

/** Which member of the params `Mcp-Name` repeats. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** Errors that the revision gives a status of their own: they say more than the status does. */
const statusCodes: readonly unknown[] = [-32700, -32600, -32601, -32602, -32020, -32021, -32022]

/** A longer body under such a status is no error of the protocol. */
const longestErrorBytes = 64 * 1024

/** A fetch that speaks so. Notifications are not sent: there is none that a server would hear. */
export function modernFetch(base: FetchLike, mirroredOf: MirroredOf): FetchLike {
  return async (url, init) => {
    const message = typeof init?.body === 'string' ? (JSON.parse(init.body) as Message) : undefined
    if (message?.id === undefined || message.method === undefined) return new Response(null, { status: 202 })
    const headers = new Headers(init?.headers)
    for (const name of ['mcp-session-id', 'last-event-id']) headers.delete(name)
    for (const [name, value] of headersOf(message, mirroredOf)) headers.set(name, encoded(value))
    const response = await base(url, { ...init, headers })
    return response.ok ? withoutSession(response) : await errorOf(response, message.id)
  }
}

interface Message {
  id?: unknown
  method?: string
  params?: Record<string, unknown>
}

function headersOf({ method = '', params }: Message, mirroredOf: MirroredOf): [string, string][] {
  const headers: [string, string][] = [
    ['MCP-Protocol-Version', modernRevision],
    ['Mcp-Method', method],
  ]
  const name = member(params, (Object.hasOwn(namedBy, method) && namedBy[method]) || '')
  if (typeof name === 'string') headers.push(['Mcp-Name', name])
  if (method !== 'tools/call' || typeof name !== 'string') return headers
  for (const mirrored of mirroredOf(name)) {
    const value = mirroredValue(mirrored, params?.arguments)
    if (value !== undefined) headers.push([`Mcp-Param-${mirrored.header}`, value])
  }
  return headers
}

/** What a header line cannot hold as it is, in base64. */
function encoded(text: string): string {
  const isPlain = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** There are no sessions in this era, whatever a server says. */
function withoutSession(response: Response): Response {
  return response.headers.has('mcp-session-id') ? replaced(response, response.body, 200) : response
}

/** The protocol's own error as an answer; anything else counts by its status. */
async function errorOf(response: Response, id: unknown): Promise<Response> {
  const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '')
  if ((response.status !== 400 && response.status !== 404) || !isJson || response.body === null) return response
  const text = await readShort(response.body)
  const found = parsed(text)
  const isOurs = member(found, 'id') === id && statusCodes.includes(member(member(found, 'error'), 'code'))
  return isOurs ? replaced(response, text, 200) : replaced(response, null, response.status)
}

function replaced(response: Response, body: string | ReadableStream | null, status: number): Response {
  const headers = new Headers(response.headers)
  headers.delete('mcp-session-id')
  const made = new Response(body, { status, headers })
  Object.defineProperty(made, 'url', { value: response.url })
  Object.defineProperty(made, 'redirected', { value: response.redirected })
  return made
}

async function readShort(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader()
  const parts: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done || value === undefined) return Buffer.concat(parts).toString('utf8')
    parts.push(value)
    if ((bytes += value.length) <= longestErrorBytes) continue
    void reader.cancel().catch(() => {})
    return ''
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
