// Why a server could not be connected, in sentences of ours.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { ServerConfig } from '#generated/types/config.js'
import { explainFailure } from '../../src/downstream/explain.ts'
import { createMounts } from '../../src/downstream/mounts.ts'
import { realClock } from '../../src/timing/clock.ts'
import { selfSigned } from '../support/self-signed.ts'
import { tempFolder } from '../support/temp-folder.ts'

const mountsOf = (entry: ServerConfig) =>
  createMounts({
    servers: { s: { ...entry, enabled: true } },
    allowsServer: () => true,
    clientInfo: { name: 'test', version: '1' },
    connectTimeoutMs: 20_000,
    environment: { env: { PATH: process.env.PATH }, home: homedir(), platform: process.platform },
    clock: realClock,
    random: () => 0,
    onChange: () => {},
    warn: () => {},
  })

/** What `servers` would say of one entry. */
async function errorOf(entry: ServerConfig): Promise<string | undefined> {
  const mounts = mountsOf(entry)
  mounts.start()
  await mounts.whenPublished('s')
  const error = mounts.servers()[0]?.error
  await mounts.stop()
  return error
}

async function listening(server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('a remote server', () => {
  test.each<[string, number, Record<string, string>, string]>([
    ['refuses us', 403, {}, 'our credentials do not allow it (HTTP 403)'],
    ['is not there', 404, {}, 'there is nothing at its address (HTTP 404)'],
    ['takes no requests', 405, {}, 'its address takes no requests (HTTP 405)'],
    ['gives something else', 406, {}, 'it does not give what MCP asks for (HTTP 406)'],
    ['is asked too often', 429, {}, 'it gets too many requests (HTTP 429)'],
    ['fails', 500, {}, 'it failed inside (HTTP 500)'],
    ['is behind something', 502, {}, 'what stands before it cannot reach it (HTTP 502)'],
    ['is busy', 503, {}, 'it is not available now (HTTP 503)'],
    ['wants a login', 200, { 'content-type': 'text/html' }, 'a page for people is at its address, perhaps a login'],
  ])('that %s is told so', async (_what, status, headers, reason) => {
    await using server = await listening(
      createServer((_request, response) => response.writeHead(status, headers).end('x')),
    )
    expect(await errorOf({ url: `http://127.0.0.1:${server.port}/mcp`, transport: 'http' })).toBe(`connect: ${reason}`)
  })

  test('that leads to another address is told so', async () => {
    await using server = await listening(
      createServer((_request, response) => response.writeHead(302, { location: '/login' }).end()),
    )
    expect(await errorOf({ url: `http://127.0.0.1:${server.port}/mcp`, transport: 'http' })).toBe(
      'connect: its address leads to another one (HTTP 302)',
    )
  })

  test('whose certificate is not trusted, and one that is asked in plain words behind it, are told so', async () => {
    await using server = await listening(createTlsServer(selfSigned()))
    expect(await errorOf({ url: `https://127.0.0.1:${server.port}/mcp` })).toContain('its certificate is not trusted')
    expect(await errorOf({ url: `http://127.0.0.1:${server.port}/mcp` })).toContain('has to begin with https')
  })

  test('that speaks no TLS, or is nowhere, is told so', async () => {
    await using server = await listening(createServer((_request, response) => response.end()))
    expect(await errorOf({ url: `https://127.0.0.1:${server.port}/mcp` })).toContain('it does not speak TLS there')
    const gone = await listening(createServer())
    await gone[Symbol.asyncDispose]()
    expect(await errorOf({ url: `http://127.0.0.1:${gone.port}/mcp` })).toBe('connect: nothing listens at its address')
    const unknown = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ENOTFOUND' } })
    expect(explainFailure({ error: unknown })).toBe('connect: its host is unknown')
  })
})

describe('a command', () => {
  test('that cannot be started says which part of its entry is wrong', async () => {
    using folder = tempFolder()
    const script = folder.file('script')
    writeFileSync(script, '#!/no/such/interpreter\n')
    chmodSync(script, 0o755)
    mkdirSync(folder.file('work'))
    for (const [entry, reason] of [
      [{ command: process.execPath, cwd: folder.file('nowhere') }, 'cwd names a folder that does not exist'],
      [{ command: process.execPath, cwd: script }, 'cwd names something that is no folder'],
      [
        { command: script, cwd: folder.file('work') },
        'the program that its command names in its first line is not there',
      ],
      [{ command: 'npx -y some-server' }, 'command holds a whole command line; put all but its first word into args'],
      [{ command: '~/bin/server' }, 'a ~ in command is not expanded; write the whole path'],
      [{ command: 'no-such-program-here' }, 'its command was not found on the PATH'],
    ] as const)
      expect(await errorOf(entry), JSON.stringify(entry)).toBe(`connect: ${reason}`)
  })

  test.each([
    ["Error: Cannot find module '/home/me/secret/dist/index.js'", 'a file that it needs is missing: index.js'],
    ["Error: Cannot find module '@scope/pkg'", 'a file that it needs is missing: @scope/pkg'],
    ["ModuleNotFoundError: No module named 'mcp'", 'a file that it needs is missing: mcp'],
    ['npm error code E404\nnpm error 404 Not Found', 'npm does not know its package'],
    ['npm ERR! code ENOTFOUND', 'npm cannot reach its registry'],
    ['npm error code EBADENGINE', 'it needs a newer Node.js'],
    ["SyntaxError: Unexpected token '.'", 'it needs a newer Node.js'],
    ['npm error code EWEIRD', 'npm failed (EWEIRD)'],
    ['Error: API_TOKEN must be set', 'the environment variable API_TOKEN is missing or not accepted'],
    ['sh: 1: uvx: not found', 'a file that it needs is missing: uvx'],
    ['/usr/bin/env: ‘node’: No such file or directory', 'a file that it needs is missing: node'],
    ['Error: key sk-live-1234: not found', 'a file that it needs is missing'],
    ['alice-at-example: No such file or directory', 'a file that it needs is missing'],
    ['something private', 'it ended or broke the connection before it was ready'],
  ])('whose last words are %j is told so', (stderrTail, reason) => {
    const error = new Error('Connection closed')
    expect(explainFailure({ error, stderrTail, declaredVariables: ['API_TOKEN'] })).toBe(`connect: ${reason}`)
  })
})

test('a server that did not answer in time is told so, whatever it has complained of', () => {
  const place = { command: 'x', cwd: undefined, env: {} }
  const error = new DOMException('x', 'TimeoutError')
  expect(explainFailure({ error, stderrTail: 'cache: permission denied', place })).toBe(
    'connect: it did not answer in time; a longer connect_timeout of this server gives it more; `servers --verbose` shows what it wrote last',
  )
})

test('a version of MCP that is not known, and tools that are not listed, are told so', async () => {
  expect(explainFailure({ error: new Error("Server's protocol version is not supported: 1999") })).toBe(
    'connect: it speaks a version of MCP that is not known here',
  )
  const { UnreadableTools } = await import('../../src/downstream/offer.ts')
  expect(explainFailure({ error: new UnreadableTools({ code: -32603 }) })).toBe(
    'connect: it answers, but not when its tools are asked for (error -32603)',
  )
})

test('a variable of many kilobytes costs no connection and no last words', async () => {
  const program = `process.stderr.write('key short-secret-1234', () => process.exit(1))`
  const env = { LARGE: 'x'.repeat(100_000), KEY: 'short-secret-1234' }
  const mounts = mountsOf({ command: process.execPath, args: ['-e', program], env })
  mounts.start()
  await mounts.whenPublished('s')
  expect(mounts.servers()[0]?.error).toContain('connect: it ended')
  expect(mounts.servers()[0]?.lastWords()).toBe('key <redacted>')
  await mounts.stop()
})
