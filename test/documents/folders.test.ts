import { mkdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createFolders } from '../../src/documents/replace-file.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('folders that are missing are made, private ones, and those that were there are not told as made', () => {
  using folder = tempFolder()
  const [outer, inner] = [folder.file('outer'), folder.file('outer/inner')]
  const made: string[] = []
  createFolders(inner, made)
  createFolders(inner, made)
  expect(made).toEqual([outer, inner])
  expect(statSync(inner).mode & 0o777).toBe(0o700)
})

test('a folder that another program makes meanwhile is no error, and not told as made', () => {
  using folder = tempFolder()
  const [outer, middle, inner] = ['outer', 'outer/middle', 'outer/middle/inner'].map((name) => folder.file(name))
  const made: string[] = []
  // The other program comes right after the outermost folder was made.
  const told = new Proxy(made, {
    set(list, index, value: string) {
      if (value === outer) mkdirSync(middle!)
      return Reflect.set(list, index, value)
    },
  })
  createFolders(inner!, told)
  expect(made).toEqual([outer, inner])
})
