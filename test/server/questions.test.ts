// A server that asks in the middle of a call, and a client of the modern era, which is asked by the answer to its request.
import { expect, test } from 'vitest'
import { openSession, request, type ArrivedCall } from './session.ts'

const keys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
}
const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }

interface Answer {
  result?: { resultType?: string; inputRequests?: Record<string, unknown>; requestState?: string; isError?: boolean }
  error?: { code: number; data?: { code?: string } }
}

/** A session with one call whose server asks at once. */
async function asked(capabilities: object = { elicitation: {} }) {
  const session = openSession()
  const call = (id: unknown, more: object = {}, name = 'ask') =>
    request(id, 'tools/call', {
      name,
      arguments: { a: 1, b: 2 },
      ...more,
      _meta: { [keys.version]: '2026-07-28', [keys.capabilities]: capabilities },
    })
  const answerTo = async (line: object) => JSON.parse(await session.exchange(line)) as Answer
  session.send(call(1))
  await session.arrivals(1)
  const { call: context, finish } = session.calls[0] as ArrivedCall
  const told = context.ask?.('elicitation/create', form, new AbortController().signal)
  told?.catch(() => {})
  return { session, call, answerTo, told, finish, signal: context.signal }
}

test('a question goes out as the answer, and the next request brings the call to its end', async () => {
  const { session, call, answerTo, told, finish } = await asked()
  const { result } = JSON.parse(await session.next()) as Answer
  expect(result).toMatchObject({ resultType: 'input_required' })
  const [[key, question]] = Object.entries(result?.inputRequests ?? {}) as [[string, unknown]]
  expect(question).toEqual({ method: 'elicitation/create', params: form })
  const again = call(2, { inputResponses: {}, requestState: result?.requestState })
  expect((await answerTo(again)).result?.inputRequests).toEqual(result?.inputRequests)
  const answers = { [key]: { action: 'accept', content: {} } }
  session.send(call(3, { arguments: { b: 2, a: 1 }, inputResponses: answers, requestState: result?.requestState }))
  expect(await told).toEqual({ action: 'accept', content: {} })
  finish({ content: [] })
  expect((JSON.parse(await session.next()) as Answer).result).toMatchObject({ resultType: 'complete', content: [] })
  expect(session.calls).toHaveLength(1)
  await session.end()
})

test('a state is good for its own request alone, and one whose call is gone says that the outcome is unknown', async () => {
  const { session, call, answerTo, finish } = await asked()
  const { result } = JSON.parse(await session.next()) as Answer
  const { requestState = '' } = result ?? {}
  const cut = `${requestState.slice(0, -2)}${requestState.endsWith('AA') ? 'BB' : 'AA'}`
  for (const wrong of [
    call(2, { requestState: cut }),
    call(2, { requestState, arguments: { a: 2, b: 2 } }),
    call(2, { requestState }, 'other'),
    call(2, { requestState: 5 }),
  ])
    expect((await answerTo(wrong)).error).toMatchObject({ code: -32602, data: { code: 'request_state_invalid' } })
  expect(session.calls).toHaveLength(1)
  session.clock.advance(10 * 60_000)
  await session.settle()
  finish({ content: [] })
  const late = await answerTo(call(3, { requestState }))
  expect(late.result?.isError).toBe(true)
  session.clock.advance(1)
  expect((await answerTo(call(4, { requestState }))).error?.data?.code).toBe('request_state_invalid')
  await session.end()
})

test.each([
  ['nothing', {}],
  ['addresses alone', { elicitation: { url: {} } }],
])('a client that declared %s is asked for no form: the server learns that at once', async (_what, capabilities) => {
  const { session, told, finish } = await asked(capabilities)
  await expect(told).rejects.toMatchObject({ code: -32601 })
  finish({ content: [] })
  expect((JSON.parse(await session.next()) as Answer).result?.resultType).toBe('complete')
  await session.end()
})

test('a client that cancels while a call runs gives it up', async () => {
  const { session, signal, finish } = await asked({})
  session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  await session.settle()
  expect(signal.aborted).toBe(true)
  finish({ content: [] })
  await session.end()
})
