import { expect, test } from 'vitest'
import { chat } from '../../scripts/clients/scripted-model/chat.ts'
import type { Conversation, Dialect, Turn } from '../../scripts/clients/scripted-model/conversation.ts'
import { generateContent } from '../../scripts/clients/scripted-model/generate-content.ts'
import { messages } from '../../scripts/clients/scripted-model/messages.ts'
import { responses } from '../../scripts/clients/scripted-model/responses.ts'
import { decide, replay, valueOf, type Step } from '../../scripts/clients/scripted-model/script.ts'
import { startModel } from '../../scripts/clients/scripted-model/serve.ts'

const steps: readonly Step[] = [
  { name: 'order', tool: 'order', args: () => ({ what: 'tea' }) },
  {
    name: 'wait',
    tool: 'status',
    args: ({ order }) => ({ id: order?.id }),
    judge: (value) => (value?.done === true ? 'next' : value?.done === false ? 'again' : 'end'),
  },
]
const offered = [{ name: 'mcp__hubu__order' }, { name: 'hubu_status' }]
const result = (text: string, callId = 'call_1') => ({ callId, text, pictures: 0 })
const after = (...texts: string[]): Conversation => ({
  tools: offered,
  results: texts.map((text) => result(text)),
  wantsJson: false,
})

test('a script goes on with the values of its results, asks again while it must, and ends', () => {
  expect(decide(steps, after())).toMatchObject({ kind: 'call', tool: offered[0], args: { what: 'tea' }, attempt: 0 })
  expect(decide(steps, after('{"id":"7"}'))).toMatchObject({ kind: 'call', tool: offered[1], args: { id: '7' } })
  const waiting = after('{"id":"7"}', '{"done":false}', '{"done":false}')
  expect(decide(steps, waiting)).toMatchObject({ kind: 'call', args: { id: '7' }, attempt: 2 })
  expect(decide(steps, after('{"id":"7"}', '{"done":true}'))).toEqual({ kind: 'end', stopped: undefined })
  expect(replay(steps, waiting)).toMatchObject({ played: 1, attempt: 2, seen: { order: { id: '7' } } })
})

test('a result that a step cannot go on from ends the script with what was told', () => {
  expect(decide(steps, after('no tea today'))).toEqual({ kind: 'end', stopped: 'order: no tea today' })
  expect(decide(steps, { ...after(), tools: [] })).toEqual({ kind: 'end', stopped: 'order: order was not offered' })
})

test('a tool that is not shown is looked for, and called by the name under which it was found', () => {
  const hidden = { ...after(), tools: [{ name: 'tool_search' }, { name: 'tool_call' }] }
  expect(decide(steps, hidden)).toMatchObject({ kind: 'look', args: { query: 'select:mcp__hubu__order' } })
  const found = { ...hidden, results: [result('<function>{"name":"mcp__hubu__order"}</function>', 'look_1')] }
  expect(decide(steps, found)).toMatchObject({
    kind: 'call',
    tool: { name: 'tool_call' },
    args: { name: 'mcp__hubu__order', arguments: { what: 'tea' } },
  })
})

test.each([
  ['a bare object', '{"a":1}', { a: 1 }],
  ['an object below words', 'Wall time: 1 s\nOutput:\n{"a":{"b":"}"}}', { a: { b: '}' } }],
  ['an object that is told twice', '{"a":1}\n{\n  "a": 1\n}', { a: 1 }],
  ['an object as a text in another one', '{"result":"{\\"a\\":1}"}', { a: 1 }],
  ['words', 'nothing {here', undefined],
])('the value of %s is read', (_what, text, value) => {
  expect(valueOf({ text })).toEqual(value)
})

const picture = 'AAAA'
const bodies: [string, Dialect, object][] = [
  [
    'the Responses API',
    responses,
    {
      tools: [{ type: 'namespace', name: 'mcp__hubu', tools: [{ name: 'order' }] }],
      input: [
        {
          type: 'function_call_output',
          call_id: 'order',
          output: [{ type: 'input_text', text: 'told' }, { type: 'input_image' }],
        },
      ],
    },
  ],
  [
    'the Messages API',
    messages,
    {
      tools: [{ name: 'order' }],
      messages: [
        { role: 'user', content: 'buy' },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'order', content: [{ type: 'text', text: 'told' }, { type: 'image' }] },
          ],
        },
      ],
    },
  ],
  [
    'chat completions',
    chat,
    {
      tools: [{ type: 'function', function: { name: 'order' } }],
      messages: [
        { role: 'tool', tool_call_id: 'order', content: [{ type: 'text', text: 'told' }, { type: 'image_url' }] },
      ],
    },
  ],
  [
    'generateContent',
    generateContent,
    {
      tools: [{ functionDeclarations: [{ name: 'order' }] }],
      contents: [
        {
          parts: [
            { functionResponse: { name: 'order', response: { output: 'told' } } },
            { inlineData: { data: picture } },
          ],
        },
      ],
    },
  ],
]

test.each(bodies)('%s: offered tools, results and their pictures are read', (_what, dialect, body) => {
  const { tools, results, wantsJson } = dialect.read(body)
  expect(tools.map(({ name }) => name)).toEqual(['order'])
  expect(results).toEqual([{ callId: 'order', text: expect.stringMatching(/^told\s*$/), pictures: 1 }])
  expect(wantsJson).toBe(false)
})

const call: Turn = { call: { name: 'order', callId: 'call_1', args: { what: 'tea' } } }

test.each(bodies)('%s: a call and a text are answered in its own form, streamed or whole', (_what, dialect) => {
  const worded = (turn: Turn, stream: boolean) => JSON.stringify(dialect.answer(turn, { id: 'x', model: 'm', stream }))
  for (const stream of [true, false]) {
    expect(worded(call, stream)).toMatch(/order.*tea|tea.*order/)
    expect(worded({ say: 'all done' }, stream)).toContain('all done')
  }
})

test('the model answers over HTTP, and holds a step back as long as it is told', async () => {
  const held: string[] = []
  await using model = await startModel(steps, async ({ name }, attempt) => void held.push(`${name} ${attempt}`))
  const ask = (body: object) =>
    fetch(`${model.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) }).then((it) => it.json())
  const tools = [{ type: 'function', function: { name: 'hubu_order' } }]
  expect(await ask({ messages: [], tools })).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] })
  expect(held).toEqual(['order 0'])
  const told = [{ role: 'tool', tool_call_id: 'call_1', content: 'no tea' }]
  expect(await ask({ messages: told, tools })).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
  expect(model.stopped).toBe('order: no tea')
  expect(model.longest.results).toEqual([result('no tea')])
})
