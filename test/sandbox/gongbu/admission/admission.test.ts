import { expect, test } from 'vitest'
import { callerToken, createBody, startHarness, type Harness } from '../support/harness.ts'

const target = { reason_code: 'target_not_selectable', fields: ['workload_type', 'provider', 'adapter', 'model'] }
const selector = { reason_code: 'pricing_selector_not_matched', fields: ['input.image_size'] }
const sized = (input: Record<string, unknown>) => ({
  model: 'sized-image-v1',
  input: { prompt: 'p', image_count: 1, ...input },
})
const plain = (input: Record<string, unknown>) => ({ input: { prompt: 'p', image_count: 1, ...input } })

/** Expects a refusal that is exactly this, made without asking Hubu. */
async function expectRefused(gongbu: Harness, body: unknown, diagnostic: object = {}): Promise<void> {
  const reply = await gongbu.send('POST', '/v2/executions', { body })
  const shown = typeof body === 'string' ? body : JSON.stringify(body)
  expect([reply.status, reply.body], shown).toEqual([
    400,
    { schema_version: 2, error: { code: 'invalid_request', message: expect.any(String), ...diagnostic } },
  ])
  expect(gongbu.hubu.names(), shown).toEqual([])
}

test('a body that is not exactly one object of the right shape is refused without asking Hubu', async () => {
  await using gongbu = await startHarness()
  const good = JSON.stringify(createBody('tok-a'))
  const texts = ['not json', '', '[]', 'null', '{}', good.slice(0, -1), `${good}x`, `\ufeff${good}`, `/**/${good}`]
  for (const text of texts) await expectRefused(gongbu, text)
  await expectRefused(gongbu, good.replace('"schema_version":2', '"schema_version":2,"schema_version":2'))
  await expectRefused(gongbu, good.replace('"schema_version":2', '"schema_version":2.0'))
  const changed: Record<string, unknown[]> = {
    schema_version: [1, 3, '2', 2.5, null, undefined],
    input: [[], 'x', null, undefined],
    input_schema_version: [0, -1, '1', 1.5, null, undefined],
    workload_type: ['', ' ', 7, null, undefined, 'w'.repeat(256)],
    account_id: ['aga_demo'],
    provider_config_version: ['v1'],
    pricing_snapshot: [{}],
    operation_key: ['demo:x'],
    hubu_authorization_id: ['tok-a'],
    hubu_token_reference: ['tok-a'],
    hubu_claim_id: [null],
    authorization: [{ amount_minor: 1, currency: 'USD' }],
    execution_scope: [null],
  }
  for (const [name, values] of Object.entries(changed))
    for (const value of values) await expectRefused(gongbu, createBody('tok-a', { [name]: value }))
  expect((await gongbu.create('tok-a')).status).toBe(200)
})

test('tokens that look like credentials are refused without asking Hubu', async () => {
  await using gongbu = await startHarness()
  const refused = ['', '  ', 'x'.repeat(256), 'Bearer abc', 'eyJhbGci', 'EYJhbGci', 'a.b', ' tok', 'tok\n', callerToken]
  for (const token of refused) await expectRefused(gongbu, createBody(token))
  for (const token of ['y'.repeat(255), 'BearerX', 'tök/ x']) expect((await gongbu.create(token)).status).toBe(200)
})

test('a target that is not selectable is refused with its diagnostic', async () => {
  const base = { workloadType: 'image_generation', provider: 'sandbox', adapter: 'fixture', version: 'v1' } as const
  await using gongbu = await startHarness({
    targets: [
      { ...base, model: 'deterministic-image-v1', behaviour: 'fixture', executionEnabled: false },
      { ...base, model: 'sized-image-v1', behaviour: 'fixture', active: false },
      { ...base, model: 'unpriced-v1', behaviour: 'fixture' },
    ],
  })
  for (const model of ['unknown-model', 'deterministic-image-v1', 'sized-image-v1', 'unpriced-v1', 'm'.repeat(255)])
    await expectRefused(gongbu, createBody('tok-a', { model }), target)
  for (const malformed of [{ model: ' x' }, { provider: 'x ' }, { adapter: 'a\nb' }])
    await expectRefused(gongbu, createBody('tok-a', malformed))
})

test('disabled providers make every target unselectable', async () => {
  await using gongbu = await startHarness({ providersEnabled: false })
  await expectRefused(gongbu, createBody('tok-a'), target)
})

test('a size without a rule is refused with its diagnostic, a size that is none without', async () => {
  await using gongbu = await startHarness()
  for (const more of [sized({}), sized({ image_size: '4k' }), sized({ image_size: null }), sized({ image_size: 2 })])
    await expectRefused(gongbu, createBody('tok-a', more), selector)
  await expectRefused(gongbu, createBody('tok-a', plain({ image_size: '1k' })), selector)
  for (const image_size of ['2K', '8k', '', ' 2k '])
    await expectRefused(gongbu, createBody('tok-a', sized({ image_size })))
  expect((await gongbu.create('tok-a', plain({ image_size: null }))).status).toBe(200)
})

test('prices are rounded up to whole cents', async () => {
  await using gongbu = await startHarness()
  const prices: [string, number, number][] = [
    ['2k', 1, 11],
    ['1k', 1, 2],
    ['1k', 2, 3],
    ['2k', 3, 31],
  ]
  for (const [image_size, image_count, cents] of prices) {
    const token = `tok-${image_size}-${image_count}`
    gongbu.hubu.amount(token, cents)
    const created = await gongbu.create(token, sized({ image_size, image_count }))
    expect(created.body.authorization).toEqual({ amount_minor: cents, currency: 'USD' })
  }
})

test('an image count must be a positive integer within the limit, written as one', async () => {
  await using gongbu = await startHarness()
  for (const image_count of [undefined, null, 0, -1, 1.5, '1', true, [1], 5, 2 ** 31])
    await expectRefused(gongbu, createBody('tok-a', plain({ image_count })))
  const good = JSON.stringify(createBody('tok-a'))
  for (const spelled of ['1.0', '1e0', '-0', '9223372036854775808'])
    await expectRefused(gongbu, good.replace('"image_count":1', `"image_count":${spelled}`))
})

test('an estimate above the ceiling is refused without asking Hubu', async () => {
  await using gongbu = await startHarness({ maximumSpendMinor: 2 })
  await expectRefused(gongbu, createBody('tok-a', plain({ image_count: 3 })))
})

test('names that smell of secrets are refused, and the token works afterwards', async () => {
  await using gongbu = await startHarness()
  const inputs = [
    { options: { meta: { Api_Key: 'x' } } },
    { options: { list: [{ a: [{ Secret: 1 }] }] } },
    { My_Token: 1 },
    { input_tokens: 1 },
    { prompt: `see ${callerToken}` },
    { options: { note: 'hubu-credential-1' } },
  ]
  for (const input of inputs) await expectRefused(gongbu, createBody('tok-a', plain(input)))
  expect((await gongbu.create('tok-a', plain({ options: { note: 'token' } }))).status).toBe(200)
})

test('each diagnostic is logged once in a process, with nothing of the request', async () => {
  await using gongbu = await startHarness()
  for (let n = 0; n < 3; n += 1) {
    await gongbu.create('tok-private', { model: 'unknown-private' })
    await gongbu.create('tok-private', sized({}))
  }
  const shared = { event: 'gongbu_admission_rejected', route: 'create_execution', route_version: 2 }
  const answer = { status: 400, code: 'invalid_request' }
  expect(gongbu.log.map((line) => JSON.parse(line) as unknown)).toEqual([
    { ...shared, ...answer, ...target },
    { ...shared, ...answer, ...selector },
  ])
})
