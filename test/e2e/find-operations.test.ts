// An agent whose answer was lost finds its purchase, on the built program.
import { isOperationsFound } from '#generated/validators/router.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { lazyRouter, metaTools, namesOf, type LazyRouter } from './lazy-router.ts'
import { createOf } from './started-sandbox.ts'
import { startRouter, type RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const spend = { account_id: 'canary-account', amount_cents: 1250, reason: 'canary-reason', merchant: 'canary-merchant' }
const answer = {
  decision: 'allow',
  decision_id: 'canary-decision',
  payment: { status: 'succeeded', payment_id: 'canary-payment', ledger_transaction_id: 'canary-ledger' },
}
const aStub = () => stubRouter({ hubu: ({ path }) => (path === '/spend' ? { status: 200, json: answer } : undefined) })

/** Buys once and forgets the answer; its handle's digits. */
async function buy(router: RouterProcess): Promise<string> {
  const { result } = await router.callTool('hubu_submit_spend', spend, { callId: 'canary-call' })
  return (result?.structuredContent as { operation_handle: string }).operation_handle.slice(-32)
}

const readResource = async (router: RouterProcess, uri: string) => {
  const { result, error } = await router.request('resources/read', { uri })
  const text = (result as { contents?: { text: string }[] } | undefined)?.contents?.[0]?.text
  return { found: text === undefined ? undefined : (JSON.parse(text) as unknown), error }
}

const called = async (router: LazyRouter, args: object) =>
  (await router.callTool('call_tool', { tool: 'router__find_operations', arguments: args })) as {
    result?: { structuredContent?: { operations: { operation_handle: string; answer: string }[] } }
    error?: { data?: { code: string } }
  }

test('in lazy mode it is searched for, described, resolved and called, and the list stays what it was', async () => {
  await using stub = await aStub()
  using router = await lazyRouter(built.bin, stub, {})
  const listed = await namesOf(router)
  expect(listed.slice(0, 8)).toEqual(metaTools)
  expect(listed.filter((name) => name.includes('find_operations'))).toEqual([])
  const digits = await buy(router)

  const { matches } = await router.data('search_tools', { query: 'was my payment made' })
  expect((matches as { namespaced: string }[]).slice(0, 3).map(({ namespaced }) => namespaced)).toContain(
    'router__find_operations',
  )
  expect(await router.data('resolve_tool', { query: 'find an earlier spend without its handle' })).toMatchObject({
    recommendation: { namespaced: 'router__find_operations' },
  })
  for (const given of [
    { tool: 'router__find_operations' },
    { tool: 'find_operations' },
    { server: 'router', tool: 'find_operations' },
  ])
    expect(await router.data('describe_tool', given)).toMatchObject({ namespaced: 'router__find_operations' })

  const { result } = await called(router, { answer: 'paid' })
  const found = result?.structuredContent
  expect(isOperationsFound(found), JSON.stringify(isOperationsFound.errors)).toBe(true)
  expect(found?.operations).toMatchObject([{ operation_handle: `hubu:public-operation:v1:${digits}`, answer: 'paid' }])
  expect((await called(router, { answer: 'unknown' })).result?.structuredContent?.operations).toEqual([])
  expect(JSON.stringify(found)).not.toContain('canary')

  for (const wrong of [
    { words: 'x' },
    { principal: 'q' },
    { limit: 11 },
    { amount_cents: 1.5 },
    { within_minutes: 10_081 },
  ])
    expect((await called(router, wrong)).error?.data?.code, JSON.stringify(wrong)).toBe('arguments_invalid')
  expect(await router.callTool('find_operations')).toMatchObject({ result: { structuredContent: { more: false } } })
})

test('a handle that was found cannot be spent, name a call, or confirm a purchase as an argument', async () => {
  await using stub = await aStub()
  using router = await lazyRouter(built.bin, stub, {})
  const handle = `hubu:public-operation:v1:${await buy(router)}`
  const created = await router.callTool('gongbu_create_execution', createOf(handle))
  expect(created.result).toMatchObject({ isError: true })
  expect(stub.gongbu.exchanges.filter(({ request }) => request.method === 'POST')).toEqual([])
  const other = await router.callTool('hubu_submit_spend', { ...spend, amount_cents: 7 }, { callId: handle })
  expect((other.result?.structuredContent as { operation_handle: string }).operation_handle).not.toBe(handle)
  const asArgument = { ...spend, 'hubu.dev/purchase': { confirms: handle } }
  expect((await router.callTool('hubu_submit_spend', asArgument, { callId: 'c2' })).error?.data?.code).toMatch(
    /trusted_argument_rejected|arguments_invalid/,
  )
})

test('with everything listed it stands after the meta-tools', async () => {
  await using stub = await aStub()
  using all = await lazyRouter(built.bin, stub, { expose: 'all' })
  expect((await namesOf(all)).slice(-9)).toEqual([...metaTools, 'router__find_operations'])
})

test('a pin lists it in lazy mode', async () => {
  await using stub = await aStub()
  using pinned = await lazyRouter(built.bin, stub, { pin: ['router__find_operations'] })
  expect(await namesOf(pinned)).toContain('router__find_operations')
})

test('a scope without its server hides it', async () => {
  await using stub = await aStub()
  using scoped = await lazyRouter(
    built.bin,
    stub,
    { expose: 'all', agents: { a: { type: 'claude', path: '/x', servers: ['hubu'] } } },
    { agent: 'a' },
  )
  expect(await namesOf(scoped)).not.toContain('router__find_operations')
  expect((await scoped.callTool('router__find_operations')).result).toMatchObject({
    isError: true,
    content: [{ text: 'tool router__find_operations is out of scope for this agent.' }],
  })
})

test('operations are resources on the contract surface as well, where the list of tools stays', async () => {
  await using stub = await aStub()
  using router = startRouter(built.bin, stub.env)
  const clientInfo = { name: 't', version: '1' }
  await router.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  expect(await namesOf(router)).not.toContain('router__find_operations')
  expect((await router.callTool('router__find_operations')).error?.code).toBe(-32602)
  const digits = await buy(router)
  const { result } = await router.request('resources/templates/list')
  expect(JSON.stringify(result)).toContain('"uriTemplate":"hubu-operation:///{digits}"')
  expect((await router.request('resources/list')).result).toMatchObject({ resources: [] })
  for (const uri of ['hubu-operation:///recent', `hubu-operation:///${digits}`]) {
    const { found } = await readResource(router, uri)
    expect(isOperationsFound(found)).toBe(true)
    expect(found).toMatchObject({ operations: [{ operation_handle: `hubu:public-operation:v1:${digits}` }] })
    expect(JSON.stringify(found)).not.toContain('canary')
  }
  for (const uri of [`hubu-operation:///${'0'.repeat(32)}`, 'hubu-operation:///x', `hubu-operation://${digits}`])
    expect((await readResource(router, uri)).error?.data?.code, uri).toBe('operation_handle_unknown')
})
