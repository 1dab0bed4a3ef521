import { expect, test } from 'vitest'
import { callerToken, startHarness } from '../support/harness.ts'
import { hubuToken, localScope } from '../support/hubu-stub.ts'

const spend = { spend_auth_token_id: 'tok-a', account_id: 'aga_demo', amount_cents: 1, execution_scope: localScope }

test('each call to Hubu says exactly what the contract says', async () => {
  await using gongbu = await startHarness()
  const { execution_id: id } = await gongbu.runToEnd('tok-a')
  const bodies = Object.fromEntries(gongbu.hubu.calls.map(({ call, body }) => [call, body]))
  expect(bodies).toEqual({
    resolve: { spend_auth_token_id: 'tok-a' },
    validate: spend,
    claim: { operation_key: 'demo:tok-a', ...spend },
    inspect: { claim_id: 'claim tok-a' },
    settle: {
      agent_id: 'agt_demo',
      operation_key: 'demo:tok-a',
      receipt: {
        actual_vendor_cost_cents: 1,
        provider_request_id: `receipt-${id}`,
        price_model_snapshot: {
          provider: 'sandbox',
          model: 'deterministic-image-v1',
          unit_price_cents: 1,
          pricing_unit: 'execution',
          currency: 'usd',
        },
        artifact_reference: `gongbu://execution/${id}`,
      },
    },
  })
  for (const { authorization } of gongbu.hubu.calls) expect(authorization).toEqual([`Bearer ${hubuToken}`])
  expect(JSON.stringify(gongbu.hubu.calls)).not.toContain(callerToken)
})

test('a release says who and which operation, and nothing else', async () => {
  await using gongbu = await startHarness({ faults: { scenario: 'proven_rejection' } })
  await gongbu.runToEnd('tok-a')
  expect(gongbu.hubu.of('release').map((call) => call.body)).toEqual([
    { agent_id: 'agt_demo', operation_key: 'demo:tok-a' },
  ])
})

test('a sized image is authorized rounded up and settled rounded half up', async () => {
  await using gongbu = await startHarness()
  const settled: [string, number, number, number][] = [
    ['2k', 1, 11, 10],
    ['1k', 1, 2, 2],
    ['1k', 2, 3, 3],
  ]
  for (const [image_size, image_count, authorized, paid] of settled) {
    const token = `tok-${image_size}-${image_count}`
    gongbu.hubu.amount(token, authorized)
    await gongbu.runToEnd(token, { model: 'sized-image-v1', input: { prompt: 'p', image_count, image_size } })
    const receipt = gongbu.hubu.of('settle').at(-1)?.body.receipt as Record<string, unknown>
    expect(receipt.actual_vendor_cost_cents).toBe(paid)
    expect(receipt.price_model_snapshot).toMatchObject({ unit_price_cents: authorized })
  }
})
