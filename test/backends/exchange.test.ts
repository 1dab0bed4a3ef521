import { expect, test } from 'vitest'
import type { Connections, ExchangeController, ExchangeHandler, WireRequest } from '../../src/backends/connections.ts'
import { exchange } from '../../src/backends/exchange.ts'

const limits = { maxBytes: 1000, totalTimeoutMs: 60_000, after: () => () => {} }
const request = (method: 'GET' | 'POST'): WireRequest => ({ method, path: '/', headers: {}, body: null })

/** What the socket does with a request: it is told whether the handler let it be written. */
type Socket = (handler: ExchangeHandler, controller: ExchangeController) => void

/** Connections that offer these sockets one after the other, each either new or one that has waited. */
function offering(sockets: readonly { first: boolean; behave: Socket }[]): Connections & { freshAsked: boolean[] } {
  let first = false
  const freshAsked: boolean[] = []
  return {
    freshAsked,
    isFirstOnSocket: () => first,
    promisesReuse: () => true,
    noteKeepAlive: () => {},
    close: async () => {},
    dispatch(_request, fresh, handler) {
      const socket = sockets[freshAsked.push(fresh) - 1]
      if (!socket) throw new Error('no further socket was expected')
      let aborted = false
      const controller = {
        abort(reason: Error) {
          aborted = true
          handler.onResponseError?.(controller as never, reason)
        },
      } as ExchangeController
      first = socket.first
      handler.onRequestStart?.(controller, {})
      first = false
      if (!aborted) socket.behave(handler, controller)
    },
  }
}

const answers: Socket = (handler, controller) => {
  handler.onResponseStarted?.()
  handler.onResponseStart?.(controller, 200, {})
  handler.onResponseEnd?.(controller, {})
}
const breaks: Socket = (handler, controller) => handler.onResponseError?.(controller, new Error('closed'))

test('a POST is never written to a socket that has waited: it asks for another one', async () => {
  const written: string[] = []
  const noted =
    (name: string): Socket =>
    (handler, controller) => {
      written.push(name)
      answers(handler, controller)
    }
  const connections = offering([
    { first: false, behave: noted('waited') },
    { first: false, behave: noted('waited too') },
    { first: true, behave: noted('new') },
  ])
  expect((await exchange(connections, request('POST'), limits)).kind).toBe('answer')
  expect(written).toEqual(['new'])
  expect(connections.freshAsked).toEqual([true, true, true])
})

test('a POST that breaks on its socket is not sent again, whatever the socket was', async () => {
  const connections = offering([{ first: true, behave: breaks }])
  expect((await exchange(connections, request('POST'), limits)).kind).toBe('no_answer')
  expect(connections.freshAsked).toHaveLength(1)
})

test('a request that the library would write a second time by itself is stopped', async () => {
  const again: Socket = (handler, controller) => handler.onRequestStart?.(controller, {})
  const connections = offering([{ first: true, behave: again }])
  expect((await exchange(connections, request('POST'), limits)).kind).toBe('no_answer')
})

test('the second try of a read asks for a new socket and refuses one that has waited', async () => {
  const connections = offering([
    { first: false, behave: breaks },
    { first: false, behave: answers },
    { first: true, behave: answers },
  ])
  expect((await exchange(connections, request('GET'), limits)).kind).toBe('answer')
  expect(connections.freshAsked).toEqual([false, true, true])
})

test('who asks for it hears what time an answer says it is, and that it says none', async () => {
  const dated =
    (date: string): Socket =>
    (handler, controller) => {
      handler.onResponseStart?.(controller, 200, { date })
      handler.onResponseEnd?.(controller, {})
    }
  const heard: (number | null)[] = []
  for (const date of ['Sun, 29 Nov 2026 00:00:07 GMT', 'yesterday'])
    await exchange(offering([{ first: true, behave: dated(date) }]), request('POST'), {
      ...limits,
      onDate: (atMs) => heard.push(atMs),
    })
  await exchange(offering([{ first: true, behave: answers }]), request('POST'), {
    ...limits,
    onDate: (atMs) => heard.push(atMs),
  })
  expect(heard).toEqual([Date.UTC(2026, 10, 29, 0, 0, 7), null, null])
})
