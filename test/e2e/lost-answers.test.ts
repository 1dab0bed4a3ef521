// A purchase whose answer nobody took, and the same purchase under another call id: by default it is not made twice.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOnly } from '../../src/storage/database.ts'
import { buildBin } from '../support/built-bin.ts'
import type { Canned } from '../support/stub-backend.ts'
import { stubRouter } from '../support/stub-router.ts'
import { gate, spendArguments, startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const tool = 'hubu_submit_spend'

/** A router whose Hubu pays when the test says so, and a first purchase that has been paid. */
async function afterPaying({ isCancelled }: { isCancelled: boolean }) {
  const [asked, decided] = [gate(), gate()]
  const keys = new Set<string>()
  const stub = await stubRouter({
    hubu: ({ path, body }): Promise<Canned> | undefined => {
      if (path !== '/spend') return undefined
      const { operation_key: key } = JSON.parse(body) as { operation_key: string }
      keys.add(key)
      asked.open()
      const json = { decision: 'allow', operation_key: key, task_id: null, payment: { status: 'succeeded' } }
      return decided.opened.then(() => ({ status: 200, json }))
    },
  })
  const router = startRouter(built.bin, stub.env)
  await router.request('initialize', {})
  const params = { name: tool, arguments: spendArguments, _meta: { callId: 'call-1' } }
  router.sendLine(JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'tools/call', params }))
  await asked.opened
  if (isCancelled)
    router.sendLine('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"first"}}')
  await router.request('ping')
  decided.open()
  const handles = () =>
    readOnly(stub.registry, (database) =>
      database
        .prepare<[], string>('select operation_handle from harness_operations where result_json is not null')
        .pluck()
        .all(),
    )
  while (handles().length === 0) await router.request('ping')
  return {
    router,
    keys,
    first: handles()[0],
    async [Symbol.asyncDispose]() {
      router[Symbol.dispose]()
      await stub[Symbol.asyncDispose]()
    },
  }
}

test('a spend that was cancelled while Hubu paid it is named when it is asked for under another id, and paid once', async () => {
  await using made = await afterPaying({ isCancelled: true })
  const { router, keys, first } = made
  const second = await router.callTool(tool, spendArguments, { callId: 'call-2' })
  expect(second.error?.data).toMatchObject({
    code: 'possible_duplicate',
    operation_handle: first,
    reason: 'earlier_answer_not_taken',
  })
  expect(router.messages.map(({ id }) => id)).not.toContain('first')
  expect(keys.size).toBe(1)
})

test('one whose answer was read is bought again under another id, because that id is another purchase', async () => {
  await using made = await afterPaying({ isCancelled: false })
  const { router, keys } = made
  await router.answerTo('first')
  const second = await router.callTool(tool, spendArguments, { callId: 'call-2' })
  expect(second.error).toBeUndefined()
  expect(keys.size).toBe(2)
})
