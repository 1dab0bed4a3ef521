import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, test } from 'vitest'
import { keptCaches } from '../../src/bundles/kept-caches.ts'
import { bundleLoader } from '../../src/bundles/loader.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Runs a bundle with caches in a folder, as a process would; says whether it had to be compiled. */
function run(bundles: string, caches: string | undefined, ending: 'quiet' | 'good' | 'bad' = 'quiet'): boolean {
  const works: (() => void)[] = []
  const moments = {
    later: (_ms: number, work: () => void) => void (ending === 'quiet' && works.push(work)),
    atGoodEnd: (work: () => void) => void (ending === 'good' && works.push(work)),
  }
  const own = keptCaches(() => caches, moments)
  let isCompiled = false
  const missed: typeof own.missed = (...given) => {
    isCompiled = true
    own.missed(...given)
  }
  expect(bundleLoader(bundles, { ...own, missed })('a.cjs')).toEqual({ n: 1 })
  for (const work of works) work()
  return isCompiled
}

function world() {
  const folder = tempFolder()
  const bundles = folder.file('dist')
  mkdirSync(bundles)
  writeFileSync(folder.file('dist/a.cjs'), 'exports.n = 1')
  return { ...folder, bundles, caches: folder.file('data/code-cache') }
}

describe.skipIf(process.platform === 'win32')('a code cache of the user', () => {
  test('is made by the first run and taken by the next, private and whole', () => {
    using here = world()
    expect(run(here.bundles, here.caches)).toBe(true)
    const [name, ...others] = readdirSync(here.caches)
    expect([name, others]).toEqual([expect.stringContaining(process.version), []])
    expect(statSync(`${here.caches}/${name}`).mode & 0o777).toBe(0o600)
    expect(statSync(here.caches).mode & 0o777).toBe(0o700)
    expect(run(here.bundles, here.caches)).toBe(false)
  })

  test('is made at the end of a short run, unless that failed', () => {
    using here = world()
    run(here.bundles, here.caches, 'bad')
    expect(existsSync(here.caches)).toBe(false)
    run(here.bundles, here.caches, 'good')
    expect(readdirSync(here.caches)).toHaveLength(1)
  })

  test('counts for one source only', () => {
    using here = world()
    run(here.bundles, here.caches)
    // V8 itself looks at the length only.
    writeFileSync(here.file('dist/a.cjs'), 'exports.n=1/1')
    expect(run(here.bundles, here.caches)).toBe(true)
    expect(readdirSync(here.caches)).toHaveLength(2)
  })

  test.each([
    ['its folder', (caches: string) => chmodSync(caches, 0o770)],
    ['a folder above it', (caches: string) => chmodSync(`${caches}/..`, 0o777)],
    ['the file', (caches: string, file: string) => chmodSync(file, 0o622)],
    [
      'a link in its place',
      (caches: string, file: string) => {
        renameSync(file, `${file}.moved`)
        symlinkSync(`${file}.moved`, file)
      },
    ],
  ])('is not trusted where others could write: %s', (_what, open) => {
    using here = world()
    run(here.bundles, here.caches)
    const [name = ''] = readdirSync(here.caches)
    open(here.caches, `${here.caches}/${name}`)
    expect(run(here.bundles, here.caches, 'bad')).toBe(true)
  })

  test('is not made where others could write, where nothing can be made, and where there is no place', () => {
    using here = world()
    mkdirSync(here.file('open'))
    chmodSync(here.file('open'), 0o777)
    run(here.bundles, here.file('open/code-cache'))
    expect(readdirSync(here.file('open/code-cache'))).toEqual([])
    for (const place of [here.file('dist/a.cjs/code-cache'), '/proc/none/code-cache', undefined])
      expect(run(here.bundles, place)).toBe(true)
  })

  test('makes room: of a bundle only the newest stay', () => {
    using here = world()
    run(here.bundles, here.caches)
    for (let n = 0; n < 9; n++) {
      const old = `${here.caches}/a.cjs-v1.${n}.cache`
      writeFileSync(old, '')
      utimesSync(old, n, n)
    }
    writeFileSync(`${here.caches}/b.cjs-v1.cache`, '')
    writeFileSync(here.file('dist/a.cjs'), 'exports.n = 1 // newer')
    run(here.bundles, here.caches)
    const left = readdirSync(here.caches)
    expect(left.filter((name) => name.startsWith('a.cjs'))).toHaveLength(6)
    expect(left).toContain('b.cjs-v1.cache')
    expect(run(here.bundles, here.caches)).toBe(false)
  })
})
