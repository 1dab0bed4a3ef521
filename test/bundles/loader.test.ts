import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type vm from 'node:vm'
import { expect, test } from 'vitest'
import { bundleLoader, shippedCacheOf, type CodeCaches } from '../../src/bundles/loader.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** No caches of our own, and what was asked of them. */
function noCaches(): CodeCaches & {
  missed: (name: string, source: string, script: vm.Script) => void
  misses: string[]
} {
  const misses: string[] = []
  return { misses, read: () => undefined, missed: (name) => void misses.push(name) }
}

test('a bundle is loaded once, and what it requires of its folder is loaded in the same way', () => {
  using folder = tempFolder()
  writeFileSync(
    folder.file('serve.cjs'),
    "exports.late = () => require('./late.cjs'); exports.join = require('node:path').join",
  )
  writeFileSync(folder.file('late.cjs'), 'exports.back = require("./serve.cjs")')
  const caches = noCaches()
  const load = bundleLoader(folder.path, caches)
  const serve = load<{ late(): { back: unknown }; join: unknown }>('serve.cjs')
  expect(serve.join).toBe(path.join)
  expect(serve.late().back).toBe(serve)
  expect(serve.late()).toBe(serve.late())
  expect(caches.misses).toEqual(['serve.cjs', 'late.cjs'])
})

test('a bundle that could not be run is run again when it is asked for again', () => {
  using folder = tempFolder()
  writeFileSync(
    folder.file('a.cjs'),
    'globalThis.__tries = (globalThis.__tries ?? 0) + 1; if (__tries < 2) throw new Error("not yet")',
  )
  const load = bundleLoader(folder.path, noCaches())
  expect(() => load('a.cjs')).toThrow('not yet')
  expect(load('a.cjs')).toEqual({})
})

test('the cache that was shipped for this Node.js is taken, and a wrong one is ignored', () => {
  using folder = tempFolder()
  const file = folder.file('a.cjs')
  writeFileSync(file, 'exports.n = 1')
  let script: vm.Script | undefined
  bundleLoader(folder.path, { read: () => undefined, missed: (_name, _source, made) => void (script = made) })('a.cjs')
  writeFileSync(shippedCacheOf(file), script!.createCachedData())
  const caches = noCaches()
  expect(bundleLoader(folder.path, caches)('a.cjs')).toEqual({ n: 1 })
  expect(caches.misses).toEqual([])
  const other = folder.file('other.cjs')
  writeFileSync(other, 'exports.n = 2')
  writeFileSync(shippedCacheOf(other), 'no cache')
  expect(bundleLoader(folder.path, caches)('other.cjs')).toEqual({ n: 2 })
  expect(caches.misses).toEqual(['other.cjs'])
})
