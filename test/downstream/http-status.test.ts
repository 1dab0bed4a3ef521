// What a server behind HTTP says by its status, and what a caller is told of it.
import { describe, expect, test } from 'vitest'
import type { ReviewTools } from '../../src/downstream/tool-review.ts'
import { realClock } from '../../src/timing/clock.ts'
import { call, exact, lost, mountRemote, remoteServer } from './remote-server.ts'

const ownError = (id: number) => `{"jsonrpc":"2.0","id":${id},"error":{"code":7,"message":"no"}}`

describe('a call that is answered', () => {
  test.each([
    [400, 'it takes the request for a wrong one (HTTP 400)'],
    [401, 'it does not accept our credentials (HTTP 401)'],
    [403, 'our credentials do not allow it (HTTP 403)'],
    [413, 'the request is too large for it (HTTP 413)'],
    [418, 'it answered (HTTP 418)'],
  ])(
    '%i was refused and not carried out, whatever the body says, and the connection is kept',
    async (status, reason) => {
      await using remote = await remoteServer(({ id, say }) => say(ownError(id), status))
      await using mounts = await mountRemote({ url: remote.url })
      expect(await call(mounts)).toEqual({ kind: 'refused', reason })
      expect(mounts.servers()[0]?.isConnected).toBe(true)
      expect(remote.methods.filter((method) => method === 'initialize')).toHaveLength(1)
    },
  )

  test('429 was refused, with the wait that is asked for', async () => {
    await using remote = await remoteServer(({ response }) => response.writeHead(429, { 'retry-after': '7' }).end())
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toEqual({
      kind: 'refused',
      reason: 'it gets too many requests (HTTP 429; it asks to wait 7 s)',
    })
  })

  test.each([500, 502, 503])('%i has an unknown outcome and is sent once, whatever the body says', async (status) => {
    let calls = 0
    await using remote = await remoteServer(({ id, say }) => say(ownError(id), (calls++, status)))
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toEqual(lost)
    expect(calls).toBe(1)
  })

  test('404 under a session was not carried out: the session is begun anew, and the call is sent once more', async () => {
    let calls = 0
    await using remote = await remoteServer(({ response, json }) =>
      calls++ === 0 ? response.writeHead(404).end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}') : json(exact),
    )
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toMatchObject({ kind: 'result', json: exact })
    expect([calls, remote.methods.filter((method) => method === 'initialize').length]).toEqual([2, 2])
  })

  test('404 under a session whose successor lists another definition of a tool that is held then: it is not called', async () => {
    await using remote = await remoteServer(({ response }) => response.writeHead(404).end())
    let lists = 0
    const review: ReviewTools = () => Promise.resolve(new Map(lists++ === 0 ? [] : [['call', 'changed']]))
    await using mounts = await mountRemote({ url: remote.url, on_change: 'hold' }, realClock, {}, { review })
    expect(await call(mounts)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('is held') as string })
    expect(remote.methods.filter((method) => method === 'tools/call')).toHaveLength(1)
  })

  test('404 again in the session after that is told as refused', async () => {
    let calls = 0
    await using remote = await remoteServer(({ response }) => (calls++, response.writeHead(404).end()))
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toMatchObject({ kind: 'refused' })
    expect(calls).toBe(2)
  })

  test('with its id as a text is answered', async () => {
    await using remote = await remoteServer(({ id, say }) => say(`{"jsonrpc":"2.0","id":"${id}","result":${exact}}`))
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toMatchObject({ kind: 'result', json: exact })
  })

  test('with its id as a text in an event is answered', async () => {
    await using remote = await remoteServer(({ id, response }) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: {"jsonrpc":"2.0","id":"${id}","result":${exact}}\n\n`),
    )
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toMatchObject({ kind: 'result', json: exact })
    expect(mounts.servers()[0]?.isConnected).toBe(true)
  })
})

test('a call that runs out of time closes its connection', async () => {
  let note = () => {}
  const closed = new Promise<void>((resolve) => (note = resolve))
  await using remote = await remoteServer(({ response }) => response.on('close', note))
  await using mounts = await mountRemote({ url: remote.url })
  expect(await mounts.call('r', 'call', {}, { limit: AbortSignal.timeout(50) })).toEqual({
    kind: 'unknown',
    why: 'timed_out',
  })
  await closed
})

test('a call does not overtake the level that its log messages are to have', async () => {
  const order: string[] = []
  let answerLevel = () => {}
  await using remote = await remoteServer(({ json }) => {
    const method = remote.methods.at(-1)!
    order.push(method)
    if (method === 'logging/setLevel') answerLevel = () => json('{}')
    else json(exact)
  })
  await using mounts = await mountRemote({ url: remote.url })
  const told = mounts.server('r')!.tellLogLevel('debug')
  while (order.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const answered = call(mounts)
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['logging/setLevel'])
  answerLevel()
  await told
  expect(await answered).toMatchObject({ kind: 'result' })
  expect(order).toEqual(['logging/setLevel', 'tools/call'])
})
