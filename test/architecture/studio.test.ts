// The page of `studio` is loaded by nobody who serves agents, and its browser part knows nothing of Node.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from './imports.ts'
import { readSources, root } from './sources.ts'

test('only the command line imports the studio', () => {
  const importers = readSources('src').filter(
    ({ file, text }) =>
      !/^src\/(studio|studio-page|cli)\//.test(file) &&
      importsOf({ file, text }).some((to) => /\/studio(-page)?\//.test(to)),
  )
  expect(importers.map(({ file }) => file)).toEqual([])
})

test('the browser part takes types from elsewhere and nothing that runs', () => {
  const folder = path.join(root, 'src/studio-page')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const wrong = files.flatMap((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8')
    const imports = [...text.matchAll(/^(import|export)( type)?[^'\n]*(?:\n[^'\n]*)*?'([^']+)'/gm)]
    return imports
      .filter(
        ([, , isType, from]) =>
          isType === undefined && (from!.startsWith('node:') || /^(\.\.\/)+(?!parts|pages)[a-z-]+\/.*\//.test(from!)),
      )
      .map(([line]) => `${name}: ${line.split('\n')[0]}`)
  })
  expect(files.length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

test('no bundle that serves agents holds any of it', () => {
  const dist = path.join(root, 'dist')
  const bundles = readdirSync(dist).filter((name) => name.endsWith('.cjs'))
  expect(bundles.length).toBeGreaterThan(3)
  for (const name of bundles) expect(readFileSync(path.join(dist, name), 'utf8'), name).not.toContain('X-Studio-Token')
})
