import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { toolNames } from '#generated/ownership.js'
import { callCases } from './calls/cases.ts'
import { fileOf, type CaseKind } from './calls/case.ts'
import { operationCases } from './operations/cases.ts'
import { folders } from './recording.ts'

const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(folders.golden, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folders.golden, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))

test.each(toolNames)('%s has a golden success, backend error and rejection', (tool) => {
  const kinds = new Set(filesBelow(`calls/${tool}`).map((file) => path.basename(file).split('.')[0]))
  const wanted: CaseKind[] = ['backend-error', 'rejection', 'success']
  expect([...kinds].sort()).toEqual(wanted)
})

test('golden/calls holds the files of the cases and no others', () => {
  expect(filesBelow('calls').sort()).toEqual(callCases.map(fileOf).sort())
})

test('golden/operations holds the files of the rows and no others', () => {
  const wanted = Object.keys(operationCases).map((name) => `operations/${name}.json`)
  expect(filesBelow('operations').sort()).toEqual(wanted.sort())
})
