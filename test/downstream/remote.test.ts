import { describe, expect, test } from 'vitest'
import { EventReader } from '../../src/downstream/event-reader.ts'
import { realClock, type Clock } from '../../src/timing/clock.ts'
import { call, exact, lost, mountRemote, remoteServer, type RemoteCall } from './remote-server.ts'

test('a remote server is mounted with its headers, and its results keep their text as JSON and as events', async () => {
  await using remote = await remoteServer(({ id, response, json }) => {
    if (id % 2 === 0) return json(exact)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = Buffer.from(`event: message\r\ndata: {"jsonrpc":"2.0","id":${id},"result":${exact}}\r\n\r\n`)
    for (let at = 0; at < event.length; at += 3) response.write(event.subarray(at, at + 3))
    response.end()
  })
  await using mounts = await mountRemote({ url: remote.url, headers: { 'x-key': 'secret' } })
  expect(mounts.tools().map(({ publicName }) => publicName)).toEqual(['r__call'])
  for (let n = 0; n < 2; n++) expect(await call(mounts)).toMatchObject({ kind: 'result', json: exact })
  expect(remote.seen.every(({ headers }) => headers['x-key'] === 'secret')).toBe(true)
})

test('a session is ended when we end, once', async () => {
  await using remote = await remoteServer()
  await (await mountRemote({ url: remote.url })).stop()
  const ends = remote.seen.filter(({ method }) => method === 'DELETE')
  expect(ends.map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1'])
})

test('a server that does not let go of its session keeps nobody waiting', async () => {
  await using remote = await remoteServer(undefined, 405, false)
  const atOnce: Clock = { ...realClock, after: (ms, work) => realClock.after(ms === 500 ? 0 : ms, work) }
  await (await mountRemote({ url: remote.url }, atOnce)).stop()
})

describe('a remote call that gets no result', () => {
  test('because its stream ended first has an unknown outcome, is sent once, and the server is connected anew', async () => {
    let calls = 0
    await using remote = await remoteServer(({ response, json }) => {
      if (++calls > 1) return json(exact)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': working\n\n')
    })
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toEqual(lost)
    expect(calls).toBe(1)
    await mounts.server('r')?.reconnect()
    expect(await call(mounts)).toMatchObject({ kind: 'result' })
    expect(remote.methods.filter((method) => method === 'initialize')).toHaveLength(2)
  })

  test.each([405, 500])('because its cut stream cannot be resumed (%i) has an unknown outcome, too', async (status) => {
    const cut = ({ response }: RemoteCall) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\ndata:\n\n')
    await using remote = await remoteServer(cut, status)
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toEqual(lost)
  })

  test('because its connection broke leaves the calls beside it alone', async () => {
    const held: (() => void)[] = []
    await using remote = await remoteServer(({ response, json }) => {
      if (held.length === 0) held.push(() => json(exact))
      else response.destroy()
    })
    await using mounts = await mountRemote({ url: remote.url })
    const other = call(mounts)
    while (held.length === 0) await realClock.turn()
    expect(await call(mounts)).toEqual(lost)
    held[0]?.()
    expect(await other).toMatchObject({ kind: 'result', json: exact })
  })

  test("but the server's own error is answered by it", async () => {
    const data = '{"n":12345678901234567890, "f":1.0}'
    await using remote = await remoteServer(({ id, say }) =>
      say(`{"jsonrpc":"2.0","id":${id},"error":{"code":7,"message":"no","data":${data}}}`),
    )
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toEqual({ kind: 'error', code: 7, message: 'no', dataJson: data })
    expect(mounts.servers()[0]?.isConnected).toBe(true)
  })

  test('but something of an odd form has been answered all the same', async () => {
    await using remote = await remoteServer(({ id, response }) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: {"jsonrpc":"2.0","id":${id},"result":"fine"}\n\n`),
    )
    await using mounts = await mountRemote({ url: remote.url })
    expect(await call(mounts)).toMatchObject({ kind: 'error', code: -32603 })
  })

  test('because nothing listens there any more was not sent', async () => {
    const remote = await remoteServer()
    await using mounts = await mountRemote({ url: remote.url })
    await remote.stop()
    expect(await call(mounts)).toEqual({ kind: 'not_sent', why: 'connection_lost' })
    expect(mounts.servers()[0]?.isConnected).toBe(false)
  })

  test('over SSE because the stream broke has an unknown outcome, and the server is connected anew', async () => {
    let calls = 0
    await using remote = await remoteServer(({ stream, json }) => {
      if (++calls > 1) json(exact)
      else stream?.destroy()
    })
    await using mounts = await mountRemote({ url: remote.url.replace('/mcp', '/sse'), transport: 'sse' })
    expect(await call(mounts)).toEqual(lost)
    await mounts.server('r')?.reconnect()
    expect(await call(mounts)).toMatchObject({ kind: 'result', json: exact })
  })
})

describe('a reader of events', () => {
  const read = (...chunks: string[]) => {
    const found: string[] = []
    const reader = new EventReader((data) => found.push(data))
    for (const chunk of chunks) reader.push(Buffer.from(chunk, 'latin1'))
    return found
  }

  test.each([
    [['data: a\n\n'], ['a']],
    [['data:a\r\ndata:  b\r\n\r\n'], ['a\n b']],
    [
      ['data: a\r', '\n\r', '\ndata: b\n\n'],
      ['a', 'b'],
    ],
    [['id: 1\nda', 'ta: a', 'b\n', '\n'], ['ab']],
    [[': ping\n\n', 'event: x\ndata\n\n', 'data: c\r\r'], ['c']],
    [['data: unfinished\n'], []],
  ])('%j gives %j', (chunks, wanted) => {
    expect(read(...chunks)).toEqual(wanted)
  })
})
