import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startHarness, type Harness } from '../support/harness.ts'

const vectors = {
  png: [73, 'd1c74d9fa6a257357a94654729be342d76509960f411a5f6aa70d4b73ce52b39'],
  solid64: [16_516, 'a05933dc369a0f1883e75ec81381d2ea449ac4effa340f94afb1955a52bc1641'],
  jpeg: [141, '5fd3bc76dc9268dac560ea1573dc88acae72ef69ab8fd729a4be8ab9cf29f048'],
} as const

/** Downloads all artifacts of an execution; each must be what the list says. */
async function download(gongbu: Harness, id: string): Promise<[number, string][]> {
  const { artifacts } = (await gongbu.artifacts(id)).body
  return Promise.all(
    artifacts.map(async (one: Record<string, unknown>) => {
      const got = await gongbu.get(`/v1/artifacts/${String(one.artifact_id)}`)
      const digest = createHash('sha256').update(got.bytes).digest('hex')
      expect([got.status, got.headers.get('content-type')]).toEqual([200, one.media_type])
      expect([got.bytes.length, digest]).toEqual([one.size_bytes, one.sha256])
      return [got.bytes.length, digest]
    }),
  )
}

function storedFile(gongbu: Harness, id: string): string {
  const folder = path.join(gongbu.folder, 'artifacts/executions', id)
  return path.join(folder, readdirSync(folder)[0] ?? '')
}

test('no artifacts are listed before there are any, and none for an unknown execution', async () => {
  let listed: unknown
  await using gongbu = await startHarness({
    hooks: {
      async beforeStep(step, id) {
        if (step === 'call-provider') listed = (await gongbu.artifacts(id)).body
      },
    },
  })
  const { execution_id: id } = await gongbu.runToEnd('tok-a')
  expect(listed).toEqual({ schema_version: 1, execution_id: id, artifacts: [] })
  expect((await gongbu.artifacts('missing')).status).toBe(404)
})

test('the fixture makes the exact test vectors, PNG and JPEG', async () => {
  await using gongbu = await startHarness()
  const plain = await gongbu.runToEnd('tok-a')
  expect(await download(gongbu, plain.execution_id)).toEqual([vectors.png])
  const input = { prompt: 'p', image_count: 1, options: { output_format: 'jpeg' } }
  const jpeg = await gongbu.runToEnd('tok-b', { input })
  expect(await download(gongbu, jpeg.execution_id)).toEqual([vectors.jpeg])
  gongbu.hubu.amount('tok-c', 2)
  const sized = { model: 'sized-image-v1', input: { prompt: 'p', image_count: 1, image_size: '1k' } }
  expect(await download(gongbu, (await gongbu.runToEnd('tok-c', sized)).execution_id)).toEqual([vectors.solid64])
})

test('an unknown artifact is 404', async () => {
  await using gongbu = await startHarness()
  const reply = await gongbu.get('/v1/artifacts/missing')
  expect([reply.status, reply.body.schema_version, reply.body.error.code]).toEqual([404, 1, 'not_found'])
})

test.each<[string, (file: string) => void]>([
  ['altered', (file) => writeFileSync(file, Buffer.alloc(73))],
  ['shortened', (file) => writeFileSync(file, Buffer.alloc(72))],
  ['removed', (file) => rmSync(file)],
])('a stored file that was %s is not served, and the rest stays as it is', async (_, damage) => {
  await using gongbu = await startHarness()
  const done = await gongbu.runToEnd('tok-a')
  const listed = (await gongbu.artifacts(done.execution_id)).body
  damage(storedFile(gongbu, done.execution_id))
  const reply = await gongbu.get(`/v1/artifacts/${listed.artifacts[0].artifact_id}`)
  expect([reply.status, reply.body.error.code]).toEqual([500, 'internal_error'])
  expect((await gongbu.artifacts(done.execution_id)).body).toEqual(listed)
  expect((await gongbu.read(done.execution_id)).body).toEqual(done)
})

test('three images are three artifacts in order, and the estimate is settled', async () => {
  await using gongbu = await startHarness()
  gongbu.hubu.amount('tok-a', 3)
  const done = await gongbu.runToEnd('tok-a', { input: { prompt: 'p', image_count: 3 } })
  const { artifacts } = (await gongbu.artifacts(done.execution_id)).body
  expect(new Set(artifacts.map((one: { artifact_id: string }) => one.artifact_id)).size).toBe(3)
  expect(artifacts.map((one: { created_at: string }) => one.created_at)).toEqual([
    '2031-03-04T05:06:07.000Z',
    '2031-03-04T05:06:07.001Z',
    '2031-03-04T05:06:07.002Z',
  ])
  const receipt = gongbu.hubu.of('settle')[0]?.body.receipt as Record<string, unknown>
  expect(receipt.actual_vendor_cost_cents).toBe(3)
})

test('files carry the name of their artifact and only their owner reads them', async () => {
  await using gongbu = await startHarness()
  const { execution_id: id } = await gongbu.runToEnd('tok-a')
  const file = storedFile(gongbu, id)
  const { artifacts } = (await gongbu.artifacts(id)).body
  expect(path.basename(file)).toBe(`${artifacts[0].artifact_id}.png`)
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a folder that cannot be written fails the execution before the claim', async () => {
  await using gongbu = await startHarness()
  writeFileSync(path.join(gongbu.folder, 'artifacts'), 'a file in the way')
  const done = await gongbu.runToEnd('tok-a')
  expect([done.status, done.outcome]).toEqual(['failed', 'artifact_preflight_failed'])
  expect(gongbu.hubu.of('claim')).toEqual([])
})

test('bytes above the encoded limit are refused and the money is held', async () => {
  await using gongbu = await startHarness({ maximumArtifactBytes: 72 })
  const done = await gongbu.runToEnd('tok-a')
  expect([done.status, done.outcome]).toEqual(['reconciliation_required', 'artifact_policy_failure'])
  expect(gongbu.hubu.of('settle')).toEqual([])
})
