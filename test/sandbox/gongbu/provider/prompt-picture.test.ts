import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { takeIn } from '../../../../src/sandbox/gongbu/artifacts/intake.ts'
import { promptPicture } from '../../../../src/sandbox/gongbu/provider/prompt-picture.ts'
import { startHarness } from '../support/harness.ts'

const limits = {
  maximumArtifacts: 4,
  maximumArtifactBytes: 20_971_520,
  maximumDecodedBytes: 104_857_600,
  maximumSidePixels: 16_384,
}
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('the picture is a function of prompt and ordinal, in the colour that the prompt hashes to', () => {
  const picture = promptPicture('a circle', 0)
  expect(takeIn('image/png', picture, limits)).toEqual({ kind: 'accepted', width: 256, height: 256 })
  const palette = picture.subarray(picture.indexOf('PLTE') + 4)
  expect(palette.subarray(3, 6).toString('hex')).toBe(digest(Buffer.from('a circle')).slice(0, 6))
  expect([picture.length, digest(picture)]).toEqual([
    16_732,
    'b04e75a900a474b3f751c0046f6d57b31d2997fcfe771805da43a5945ed9419d',
  ])
  expect(promptPicture('a circle', 1).equals(picture)).toBe(false)
  expect(promptPicture('a square', 0).equals(picture)).toBe(false)
})

test('a Gongbu that draws from prompts stores and settles as many pictures as were asked for', async () => {
  await using gongbu = await startHarness({ pictures: 'from-prompt' })
  const ended = await gongbu.runToEnd('tok-a')
  expect(ended.status).toBe('succeeded')
  const [artifact] = (await gongbu.artifacts(ended.execution_id)).body.artifacts
  expect(artifact.metadata).toEqual({ height: 256, width: 256 })
  const { bytes } = await gongbu.get(`/v1/artifacts/${artifact.artifact_id}`)
  expect(bytes.equals(promptPicture('a paper boat on a pond', 0))).toBe(true)
})
