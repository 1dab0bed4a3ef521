// Routers and bare servers that are spoken to over HTTP, and what a call costs them.
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { cpuMs } from './cpu.ts'

/** A server as a child process. */
export interface HttpPeer {
  url: URL
  pid: number
  /** The token of the start; empty where there is none. */
  token: string
  end(): Promise<void>
}

/** Starts the bin with `serve --http`, and waits until it is ready. */
export async function serveHttp(
  bin: string,
  folder: string,
  env: Record<string, string>,
  config: object = {},
): Promise<HttpPeer> {
  const file = path.join(folder, 'config.yaml')
  writeFileSync(file, JSON.stringify({ version: 1, ...config }))
  const child = spawn(process.execPath, [bin, 'serve', '--http', '127.0.0.1:0', '--config', file], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const told = JSON.parse(await firstLine(child, child.stderr!, 'listening')) as { url: string; token_file?: string }
  const url = new URL(told.url)
  while ((await fetch(new URL('/readyz', url))).status !== 200);
  return {
    url,
    token: told.token_file === undefined ? '' : readFileSync(told.token_file, 'utf8').trim(),
    ...held(child),
  }
}

/** A bare server of Node's: it makes the same GET and gives the same answer, and knows nothing else. */
const bareSource = `
const { Pool } = require('undici')
const [hubu, body] = process.argv.slice(1)
const pool = new Pool(hubu)
const answer = async (request, response) => {
  request.resume()
  const { body: budgets } = await pool.request({ method: 'GET', path: '/budgets' })
  JSON.parse(await budgets.text())
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
const server = require('node:http').createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => console.log('listening ' + server.address().port))`

/** Starts it. */
export async function serveBare(hubuUrl: string, body: string): Promise<HttpPeer> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const child = spawn(process.execPath, ['-e', bareSource, hubuUrl, body], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [, port] = (await firstLine(child, child.stdout!, 'listening')).split(' ')
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), token: '', ...held(child) }
}

function firstLine(child: ChildProcess, stream: NodeJS.ReadableStream, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (more: string) => {
      text += more
      const line = text.split('\n').find((one) => one.includes(word))
      if (line !== undefined) resolve(line)
    })
    child.once('exit', () => reject(new Error(`it did not start: ${text}`)))
  })
}

function held(child: ChildProcess): { pid: number; end(): Promise<void> } {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid ?? 0,
    end: () => {
      child.kill()
      return ended
    },
  }
}

/** Sends requests to one server over connections that are kept. */
export function openSender({ url }: HttpPeer, connections: number) {
  const pool = new Pool(url.origin, { connections, pipelining: 1 })
  return {
    /** Sends one body; rejects unless it is answered with 200. */
    async send(
      body: string,
      headers: Record<string, string>,
    ): Promise<{ text: string; headers: Record<string, unknown> }> {
      const answer = await pool.request({ method: 'POST', path: url.pathname, body, headers })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text}`)
      return { text, headers: answer.headers }
    },
    close: () => pool.close(),
  }
}

/** Runs work so many times, so many at a time. */
export async function repeat(times: number, atATime: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let begun = 0
  const lane = async () => {
    while (begun < times) await work(begun++)
  }
  await Promise.all(Array.from({ length: atATime }, lane))
}

/** Processor time that a server spends on each of so many calls, in milliseconds. */
export async function costMs({ pid }: HttpPeer, times: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid)
  await repeat(times, 8, work)
  return (cpuMs(pid) - before) / times
}

/** Tokens of so many people, in a file for `auth.tokens`. */
export function peopleTokens(folder: string, count: number): { file: string; tokens: string[] } {
  const file = path.join(folder, 'tokens.json')
  const tokens = Array.from({ length: count }, () => `hubu_${randomBytes(32).toString('base64url')}`)
  const entries = tokens.map((token, n) => ({
    ...{ id: randomBytes(4).toString('hex'), principal: `person-${n}`, rights: ['read', 'spend'] },
    ...{
      sha256: createHash('sha256').update(token).digest('hex'),
      created_at: '2026-01-01T00:00:00Z',
      expires_at: null,
    },
  }))
  writeFileSync(file, JSON.stringify({ version: 1, tokens: entries }), { mode: 0o600 })
  return { file, tokens }
}
