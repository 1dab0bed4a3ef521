import { expect, test } from 'vitest'
import type { CallOptions, CallOutcome } from '../../src/downstream/outcome.ts'
import { callAsTask, runsOnlyAsTask } from '../../src/downstream/task-call.ts'

const result = (value: object): CallOutcome => ({ kind: 'result', json: JSON.stringify(value), value })
const created = result({ task: { taskId: 't-1', status: 'working' } })
const done = result({ content: [{ type: 'text', text: 'done' }] })
const call = { name: 'research', arguments: { topic: 'x' } }

/** Answers in turn; what was asked. */
function scripted(...answers: (CallOutcome | { kind: 'disconnected'; error: string })[]) {
  const asked: [string, object][] = []
  const exchange = (method: string, params: object, _options: CallOptions) => {
    asked.push([method, params])
    return Promise.resolve(answers.shift() ?? result({}))
  }
  return { exchange, asked }
}

const start: [string, object] = ['tools/call', { ...call, task: {} }]
const wait: [string, object] = ['tasks/result', { taskId: 't-1' }]
const cancel: [string, object] = ['tasks/cancel', { taskId: 't-1' }]

test('a tool says that it runs only as a task', () => {
  expect(runsOnlyAsTask({ name: 'x', execution: { taskSupport: 'required' } })).toBe(true)
  for (const execution of [undefined, null, {}, 'required', { taskSupport: 'optional' }])
    expect(runsOnlyAsTask({ name: 'x', execution })).toBe(false)
})

test('it is started once, and the result of its task is the answer', async () => {
  const { exchange, asked } = scripted(created, done)
  expect(await callAsTask(exchange, call, {})).toBe(done)
  expect(asked).toEqual([start, wait])
})

test('what the server answers instead of a task is the answer', async () => {
  const refused: CallOutcome = { kind: 'error', code: -32602, message: 'no' }
  for (const answer of [refused, done, { kind: 'disconnected' as const, error: 'gone' }]) {
    const { exchange, asked } = scripted(answer)
    expect(await callAsTask(exchange, call, {})).toBe(answer)
    expect(asked).toEqual([start])
  }
})

test('whoever stops waiting cancels the task, whose outcome is unknown', async () => {
  for (const why of ['cancelled', 'timed_out'] as const) {
    for (const kind of ['unknown', 'not_sent'] as const) {
      const { exchange, asked } = scripted(created, { kind, why })
      expect(await callAsTask(exchange, call, {})).toEqual({ kind: 'unknown', why })
      expect(asked).toEqual([start, wait, cancel])
    }
  }
})

test('a connection that is lost after the start leaves its outcome unknown, and nothing is sent to the next one', async () => {
  for (const lost of [
    { kind: 'not_sent', why: 'connection_lost' } as const,
    { kind: 'disconnected', error: 'gone' } as const,
  ]) {
    const { exchange, asked } = scripted(created, lost)
    expect(await callAsTask(exchange, call, {})).toEqual({ kind: 'unknown', why: 'connection_lost' })
    expect(asked).toEqual([start, wait])
  }
})
