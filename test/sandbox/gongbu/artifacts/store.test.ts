import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openArtifactFiles } from '../../../../src/sandbox/gongbu/artifacts/files.ts'
import { openArtifactStore } from '../../../../src/sandbox/gongbu/artifacts/store.ts'
import { gongbuSchema } from '../../../../src/sandbox/gongbu/executions/schema.ts'
import { solidPng, vectorColour } from '../../../../src/sandbox/gongbu/provider/pictures.ts'
import { migrate, openDatabase } from '../../../../src/storage/database.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

function openStore() {
  const folder = tempFolder()
  const database = openDatabase(folder.file('gongbu.sqlite3'))
  migrate(database, gongbuSchema)
  database.pragma('foreign_keys = OFF')
  let ids = 0
  const newId = () => `id-${(ids += 1)}`
  const store = openArtifactStore(database, openArtifactFiles(folder.file('artifacts'), newId), {
    limits: {
      maximumArtifacts: 2,
      maximumArtifactBytes: 1000,
      maximumDecodedBytes: 1000,
      maximumSidePixels: 100,
    },
    now: () => new Date('2031-03-04T05:06:07.000Z'),
    newId,
  })
  const image = { mediaType: 'image/png', bytes: solidPng(1, 1, vectorColour) }
  return {
    store,
    put: (ordinal: number) => store.store({ executionId: 'e', attemptId: 'a', ordinal, image }),
    files: () => readdirSync(folder.file('artifacts/executions/e')),
    [Symbol.dispose]() {
      database.close()
      folder[Symbol.dispose]()
    },
  }
}

test('an image that an earlier delivery stored is not stored again', async () => {
  using room = openStore()
  expect([await room.put(0), await room.put(0)]).toEqual([{ kind: 'stored' }, { kind: 'stored' }])
  expect(room.store.list('e')).toHaveLength(1)
  expect(room.files()).toHaveLength(1)
  await room.put(1)
  expect(room.store.list('e').map((one) => [one.ordinal, one.createdAt])).toEqual([
    [0, '2031-03-04T05:06:07.000Z'],
    [1, '2031-03-04T05:06:07.001Z'],
  ])
})

test('one artifact more than allowed is refused, and the others stay', async () => {
  using room = openStore()
  for (const ordinal of [0, 1]) await room.put(ordinal)
  expect(await room.put(2)).toEqual({ kind: 'refused', code: 'artifact_policy_failure' })
  expect(room.store.list('e')).toHaveLength(2)
  expect(room.files()).toHaveLength(2)
})

test('a finished write leaves no temporary file', async () => {
  using room = openStore()
  await room.put(0)
  expect(room.files()).toEqual([expect.stringMatching(/^id-\d+\.png$/)])
})
