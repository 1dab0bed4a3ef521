// What becomes of a server's connections in orders and times that cannot be forced from outside.
import { homedir } from 'node:os'
import { describe, expect, test, vi } from 'vitest'
import type { Connection, ConnectionEvents } from '../../src/downstream/connection.ts'
import type { CallOptions, CallOutcome } from '../../src/downstream/outcome.ts'
import { childEnvironment } from '../../src/downstream/environment.ts'
import { MountedServer } from '../../src/downstream/mounted-server.ts'
import { createMounts, type MountedCall } from '../../src/downstream/mounts.ts'
import { realClock } from '../../src/timing/clock.ts'
import { mounted } from './lazy-router.ts'

const done: CallOutcome = { kind: 'result', json: '{}', value: {} }
const isLost: CallOutcome = { kind: 'unknown', why: 'connection_lost' }
const never = new Promise<never>(() => {})

/** A server whose connections and their answers the test gives, one after the other. */
function scripted(...connections: (Partial<Connection> | Promise<never>)[]) {
  const events: ConnectionEvents[] = []
  const server = new MountedServer({
    name: 's',
    connect: (told) => {
      events.push(told)
      const next = connections[events.length - 1]
      const offer = { tools: [], resources: [], resourceTemplates: [], prompts: [], notes: [] }
      const quiet = { watchAgain: () => {}, close: () => Promise.resolve(), retire: () => Promise.resolve() }
      if (next === undefined) return Promise.reject(new Error('refused'))
      return next instanceof Promise ? next : Promise.resolve({ offer, ...quiet, ...next } as Connection)
    },
    explain: ({ message }: Error) => message,
    lastWords: () => '',
    onChange: () => {},
    clock: { ...realClock, after: () => () => {} },
    random: () => 0,
  } as ConstructorParameters<typeof MountedServer>[0])
  return { server, events, call: (name = 't') => server.call(name, {}, {}) }
}

test('a failure of a connection that has been replaced leaves the new one alone', async () => {
  let fail = () => {}
  const late = new Promise<CallOutcome>((resolve) => (fail = () => resolve(isLost)))
  const { server, events, call } = scripted(
    { exchange: (_method, { name }) => (name === 'late' ? late : Promise.resolve(isLost)) },
    { exchange: () => Promise.resolve(done) },
  )
  await server.reconnect()
  const slow = call('late')
  expect(await call()).toEqual(isLost)
  await server.reconnect()
  fail()
  expect(await slow).toEqual(isLost)
  // And what the old one tells of its end, however late.
  events[0]?.onLost()
  expect(server.state).toEqual({ kind: 'connected' })
  expect(await call()).toEqual(done)
  expect(events).toHaveLength(2)
})

test('an old connection that does not end delays neither the answer nor the next connection', async () => {
  const { server, call } = scripted(
    { exchange: () => Promise.resolve(isLost), retire: () => never, close: () => never },
    { exchange: () => Promise.resolve(done) },
  )
  await server.reconnect()
  expect(await call()).toEqual(isLost)
  expect(await call()).toEqual(done)
  expect(server.state).toEqual({ kind: 'connected' })
})

test('a task is not asked for on the connection after the one that it was begun on', async () => {
  const asked: string[] = []
  const begun: CallOutcome = { kind: 'result', json: '', value: { task: { taskId: 't-1' } } }
  const listed = { name: 't', execution: { taskSupport: 'required' } }
  const tools = [{ listed, shown: { kind: 'left_out' as const, reason: '' }, leftOut: [] }]
  const offer = { tools, resources: [], resourceTemplates: [], prompts: [], notes: [] }
  const { server, events, call } = scripted(
    {
      offer,
      exchange: (method) => {
        events[0]?.onLost()
        return Promise.resolve(method === 'tools/call' ? begun : { kind: 'not_sent', why: 'connection_lost' })
      },
    },
    { offer, exchange: (method) => (asked.push(method), Promise.resolve(done)) },
  )
  await server.reconnect()
  expect(await call()).toEqual(isLost)
  expect(asked).toEqual([])
})

describe('a call that finds its connection lost', () => {
  test('waits for the next one, as long as that is being made', async () => {
    const { server, events, call } = scripted({ exchange: () => never }, { exchange: () => Promise.resolve(done) })
    await server.reconnect()
    events[0]?.onLost()
    expect(server.state).toMatchObject({ kind: 'disconnected' })
    expect(await Promise.all([call(), call()])).toEqual([done, done])
    expect(events).toHaveLength(2)
  })

  test('is told why there is no next one, and later calls are told at once', async () => {
    const { server, events, call } = scripted({ exchange: () => never })
    await server.reconnect()
    events[0]?.onLost()
    const refused = { kind: 'disconnected', error: 'refused' }
    expect(await call()).toEqual(refused)
    expect(await call()).toEqual(refused)
    expect(events).toHaveLength(2)
  })

  test.each(['signal', 'limit'])('waits no longer than its %s lets it', async (bound) => {
    const { server, events } = scripted({ exchange: () => never }, never)
    await server.reconnect()
    events[0]?.onLost()
    const givenUp = new AbortController()
    const call = server.call('t', {}, { [bound]: givenUp.signal })
    givenUp.abort()
    expect(await call).toEqual({ kind: 'disconnected', error: 'the connection was lost' })
    expect(events).toHaveLength(2)
  })
})

test('a call that tells of progress has no idle limit, and its deadline ends it all the same', async () => {
  const tools = ['pid', 'release', 'tick'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const mounts = createMounts({
    servers: { s: mounted({ tools }) },
    allowsServer: () => true,
    clientInfo: { name: 'test', version: '1' },
    connectTimeoutMs: 10_000,
    environment: { env: process.env, home: homedir(), platform: process.platform },
    clock: realClock,
    random: () => 0,
    onChange: () => {},
    warn: () => {},
  })
  mounts.start()
  const call = (tool: string, options: CallOptions = {}) => mounts.call('s', tool, { uri: 'x:y' }, options)
  try {
    const pid = Number(textIn(await call('pid')))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let tell = () => {}
    const told = new Promise<void>((resolve) => (tell = resolve))
    const long = call('release', { onProgress: tell })
    await told
    await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000)
    process.kill(pid, 'SIGUSR2')
    expect(await long).toMatchObject({ kind: 'result' })
    vi.useRealTimers()
    expect(await call('tick', { limit: AbortSignal.timeout(100), onProgress: () => {} })).toEqual({
      kind: 'unknown',
      why: 'timed_out',
    })
  } finally {
    vi.useRealTimers()
    await mounts.stop()
  }
})

/** The first text of a result. */
function textIn(outcome: MountedCall): string | undefined {
  const { value } = outcome as { value: { content?: { text: string }[] } }
  return value.content?.[0]?.text
}

test('a child gets no secret of our environment, and what its entry sets wins', () => {
  const env = {
    PATH: '/bin',
    HOME: '/home/ours',
    TVAULT_PASSPHRASE: 'canary',
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'canary',
  }
  const own = { HOME: '/home/its', KEY: 'its' }
  expect(childEnvironment({ env, home: '/home/ours', platform: 'linux', exists: () => false }, own)).toEqual({
    PATH: '/bin',
    ...own,
  })
})

test('a child gets the way out of a network, and what its entry names besides', () => {
  const network = {
    HTTPS_PROXY: 'http://proxy:1',
    no_proxy: 'localhost',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    SSL_CERT_FILE: '/certs.pem',
    npm_config_registry: 'https://registry.test',
  }
  const env = { ...network, PATH: '/bin', OURS: 'ours', THEIRS: 'theirs' }
  const source = { env, home: '/home/ours', platform: 'linux' as const, exists: () => false }
  expect(childEnvironment(source, {}, ['OURS', 'NOWHERE'])).toEqual({ ...network, PATH: '/bin', OURS: 'ours' })
})
