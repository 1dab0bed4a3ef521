// What becomes of one server's connections, in an order that cannot be forced from outside (M 10.7).
import { describe, expect, test } from 'vitest'
import type { CallOutcome, Connection, ConnectionEvents } from '../../src/downstream/connection.ts'
import { MountedServer } from '../../src/downstream/mounted-server.ts'

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
      const offer = { tools: [], resources: [], resourceTemplates: [], prompts: [] }
      const quiet = { watchAgain: () => {}, close: () => Promise.resolve(), retire: () => Promise.resolve() }
      if (next === undefined) return Promise.reject(new Error('refused'))
      return next instanceof Promise ? next : Promise.resolve({ offer, ...quiet, ...next } as Connection)
    },
    explain: ({ message }: Error) => message,
    onChange: () => {},
    after: () => () => {},
    random: () => 0,
  } as ConstructorParameters<typeof MountedServer>[0])
  return { server, events, call: (name = 't') => server.call(name, {}, {}) }
}

test('a failure of a connection that has been replaced leaves the new one alone (M 10.7 C8)', async () => {
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

test('an old connection that does not end delays neither the answer nor the next connection (M 10.7 C9)', async () => {
  const { server, call } = scripted(
    { exchange: () => Promise.resolve(isLost), retire: () => never, close: () => never },
    { exchange: () => Promise.resolve(done) },
  )
  await server.reconnect()
  expect(await call()).toEqual(isLost)
  expect(await call()).toEqual(done)
  expect(server.state).toEqual({ kind: 'connected' })
})

describe('a call that finds its connection lost', () => {
  test('waits for the next one, as long as that is being made (M 10.7 C6)', async () => {
    const { server, events, call } = scripted({ exchange: () => never }, { exchange: () => Promise.resolve(done) })
    await server.reconnect()
    events[0]?.onLost()
    expect(server.state).toMatchObject({ kind: 'disconnected' })
    expect(await Promise.all([call(), call()])).toEqual([done, done])
    expect(events).toHaveLength(2)
  })

  test('is told why there is no next one, and later calls are told at once (M 7.5)', async () => {
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
