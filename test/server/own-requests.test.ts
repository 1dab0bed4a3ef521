// Requests of our own on the wire: what the client answers reaches who asked, once.
import { afterEach, expect, test } from 'vitest'
import { maxLineBytes } from '../../src/server/frame-reader.ts'
import { ToClient } from '../../src/server/to-client.ts'
import { openSession } from './session.ts'

let session: ReturnType<typeof openSession>
afterEach(() => session.end())

/** A session in which `elicitation/create` was asked, with the line that says so. */
async function asking() {
  const toClient = new ToClient()
  session = openSession({}, { toClient })
  await session.handshake()
  const cancelling = new AbortController()
  const answer = toClient.ask('elicitation/create', { message: 'Sure?' }, cancelling.signal)
  answer.catch(() => {})
  const { id } = JSON.parse(await session.next()) as { id: number }
  return { answer, cancelling, id }
}

test('the answer to a request of ours reaches who asked, and a second one is ignored', async () => {
  const { answer, id } = await asking()
  session.send({ jsonrpc: '2.0', id, result: { action: 'accept' } }, { jsonrpc: '2.0', id, result: { action: 'no' } })
  expect(await answer).toEqual({ action: 'accept' })
  await session.settle()
  expect(session.faults).toEqual([])
})

test('the client is told of a cancelled request of ours, and a late answer to it is ignored', async () => {
  const { answer, cancelling, id } = await asking()
  cancelling.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
  expect(JSON.parse(await session.next())).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: id },
  })
  session.send({ jsonrpc: '2.0', id, result: { action: 'accept' } })
  await session.settle()
  expect(session.faults).toEqual([])
})

test('an answer over the line limit is an error for who asked, who would wait for ever otherwise', async () => {
  const { answer, id } = await asking()
  session.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(maxLineBytes) } })
  await expect(answer).rejects.toThrow('too long')
})

test.each(['{"result":null}', '{"error":"no"}', '{"error":{"code":"1","message":"no"}}'])(
  'the answer %s, which nobody can read, is an error for who asked and stands in no log',
  async (members) => {
    const { answer, id } = await asking()
    session.send({ jsonrpc: '2.0', id, ...(JSON.parse(members) as object) })
    await expect(answer).rejects.toThrow('cannot be read')
    expect(session.faults).toEqual([])
  },
)
