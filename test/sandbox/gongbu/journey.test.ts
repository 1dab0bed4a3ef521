import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startHarness } from './support/harness.ts'
import { hubuToken } from './support/hubu-stub.ts'

test('a create answers pending at once, then succeeds with Hubu asked in order', async () => {
  await using gongbu = await startHarness()
  const created = await gongbu.create('tok-a')
  expect(created.status).toBe(200)
  expect(created.body).toEqual({
    schema_version: 2,
    execution_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    operation_key: 'demo:tok-a',
    status: 'pending',
    outcome: null,
    failure: null,
    authorization: { amount_minor: 1, currency: 'USD' },
    created_at: '2031-03-04T05:06:07.000Z',
    updated_at: '2031-03-04T05:06:07.000Z',
    started_at: null,
    completed_at: null,
  })
  const done = await gongbu.ended(created.body.execution_id)
  expect(done).toMatchObject({
    schema_version: 1,
    status: 'succeeded',
    outcome: 'succeeded',
    failure: null,
    started_at: '2031-03-04T05:06:07.000Z',
    completed_at: '2031-03-04T05:06:07.000Z',
  })
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate', 'claim', 'inspect', 'settle'])
  for (const call of gongbu.hubu.calls) expect(call.authorization).toEqual([`Bearer ${hubuToken}`])
})

test('a finished execution lists its artifact and gives its exact bytes', async () => {
  await using gongbu = await startHarness()
  const { execution_id: id } = await gongbu.runToEnd('tok-a')
  const listed = await gongbu.artifacts(id)
  expect(listed.body).toEqual({
    schema_version: 1,
    execution_id: id,
    artifacts: [
      {
        artifact_id: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
        execution_id: id,
        kind: 'image',
        media_type: 'image/png',
        size_bytes: 73,
        sha256: 'd1c74d9fa6a257357a94654729be342d76509960f411a5f6aa70d4b73ce52b39',
        metadata: { height: 1, width: 1 },
        metadata_schema_version: 1,
        created_at: '2031-03-04T05:06:07.000Z',
      },
    ],
  })
  const got = await gongbu.get(`/v1/artifacts/${listed.body.artifacts[0].artifact_id}`)
  expect(got.status).toBe(200)
  expect(got.headers.get('content-type')).toBe('image/png')
  expect(createHash('sha256').update(got.bytes).digest('hex')).toBe(listed.body.artifacts[0].sha256)
})
