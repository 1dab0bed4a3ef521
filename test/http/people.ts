// Several people at one HTTP router, each with a token, and raw requests in their names.
import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { HttpRouter } from './lab.ts'

/** One token that is given out. */
export interface Person {
  principal: string
  rights?: string[]
  agent?: string
}

/** The tokens of these people by their names, in a file for `auth.tokens`. */
export function people<Name extends string>(
  folder: string,
  persons: Record<Name, Person>,
): { file: string; tokens: Record<Name, string> } {
  const file = path.join(folder, 'tokens.json')
  const given = Object.entries<Person>(persons).map(([name, person]) => {
    const token = `hubu_${randomBytes(32).toString('base64url')}`
    const entry = {
      id: randomBytes(4).toString('hex'),
      sha256: createHash('sha256').update(token).digest('hex'),
      rights: ['read', 'spend', 'protected'],
      created_at: '2026-01-01T00:00:00Z',
      expires_at: null,
      ...person,
    }
    return { name, token, entry }
  })
  writeFileSync(file, JSON.stringify({ version: 1, tokens: given.map(({ entry }) => entry) }), { mode: 0o600 })
  const tokens = Object.fromEntries(given.map(({ name, token }) => [name, token])) as Record<Name, string>
  return { file, tokens }
}

/** What came of a request. */
export interface Reply {
  status: number
  headers: Headers
  body: {
    result?: { content?: { text: string }[]; structuredContent?: Record<string, unknown>; [member: string]: unknown }
    error?: { code: number; message: string; data?: Record<string, unknown> }
  }
}

let lastId = 0

/** Sends one legacy request and gives its answer as JSON. */
export async function post(
  { url }: Pick<HttpRouter, 'url'>,
  token: string,
  { method, params, headers = {} }: { method: string; params?: object; headers?: Record<string, string> },
): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, ...(params && { params }) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text || '{}') as Reply['body'] }
}

/** Calls a tool under a revision that has structured content. */
export function call(
  router: Pick<HttpRouter, 'url'>,
  token: string,
  name: string,
  args: object = {},
  meta?: object,
): Promise<Reply> {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) }
  return post(router, token, { method: 'tools/call', params, headers: { 'MCP-Protocol-Version': '2025-06-18' } })
}

/** The names of the tools that somebody is shown. */
export async function toolsOf(router: Pick<HttpRouter, 'url'>, token: string): Promise<string[]> {
  const { body } = await post(router, token, { method: 'tools/list' })
  return (body.result?.tools as { name: string }[]).map(({ name }) => name)
}
