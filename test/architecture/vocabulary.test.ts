import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importsOf, packageOf } from './imports.ts'
import { readSources } from './sources.ts'

/** Where each package that ships may be named: so that replacing one touches one room. */
const places: Record<string, readonly string[]> = {
  '@preact/signals': ['src/studio-page/'],
  '@modelcontextprotocol/sdk': ['src/server/', 'src/downstream/', 'src/demo/'],
  ajv: ['src/downstream/admission/'],
  'ajv-formats': ['src/downstream/admission/'],
  'better-sqlite3': ['src/storage/'],
  commander: ['src/cli/'],
  'cross-spawn': ['src/downstream/child-process.ts'],
  diff: ['src/client-configs/'],
  jose: ['src/http/bearers/'],
  'jsonc-parser': ['src/documents/'],
  picocolors: ['src/terminal/paint.ts'],
  preact: ['src/studio-page/'],
  'prom-client': ['src/http/metrics/'],
  'smol-toml': ['src/documents/'],
  'toml-eslint-parser': ['src/documents/'],
  uplot: ['src/studio-page/'],
  undici: ['src/backends/connections.ts', 'src/backends/undici-parts.d.ts', 'src/downstream/patient-fetch.ts'],
  yaml: ['src/config/', 'src/sandbox/', 'src/documents/'],
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

const imports = readSources('src').flatMap((source) =>
  importsOf(source).flatMap((specifier) => {
    const name = packageOf(specifier)
    return name === undefined ? [] : [{ file: source.file, name }]
  }),
)

test('every package is named only where it belongs', () => {
  const wrong = imports.filter(({ file, name }) => !(places[name] ?? []).some((place) => file.startsWith(place)))
  expect(wrong.map(({ file, name }) => `${file} imports ${name}`)).toEqual([])
})

test('an install brings what the bundles leave out, and this list knows every package that src/ names', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  const [, leftOut = ''] = /external: \[(.*?)\]/.exec(read('scripts/build.ts')) ?? []
  expect(Object.keys(dependencies ?? {})).toEqual([...leftOut.matchAll(/'([^']+)'/g)].map(([, name]) => name))
  expect(Object.keys(places).sort()).toEqual([...new Set(imports.map(({ name }) => name))].sort())
  const there = { ...dependencies, ...devDependencies }
  expect(Object.keys(places).filter((name) => !(name in there))).toEqual([])
})

test('no folder is named for what nobody could place', () => {
  const vague = /(^|\/)(utils?|helpers?|common|shared|types|misc|lib)\//
  const wrong = readSources('src', 'scripts', 'test').filter(({ file }) => vague.test(file))
  expect(wrong.map(({ file }) => file)).toEqual([])
  expect(vague.test('src/calls/utils/x.ts')).toBe(true)
})

test('files and folders are in kebab case', () => {
  const wrong = readSources('src', 'scripts', 'test').filter(
    ({ file }) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.[a-z]+)+$/.test(file),
  )
  expect(wrong.map(({ file }) => file)).toEqual([])
})

test('every import of a file says its ending, since Node runs and types are stripped', () => {
  const wrong = readSources('src', 'scripts', 'test').flatMap((source) =>
    importsOf(source)
      .filter((specifier) => specifier.startsWith('.') && !/\.[a-z]+$/.test(specifier))
      .map((specifier) => `${source.file}: ${specifier}`),
  )
  expect(wrong).toEqual([])
})

test('signals are joined by linkSignals: under AbortSignal.any Node 20 collects a time-out, which then never comes', () => {
  const wrong = readSources('src').filter(({ text }) => /AbortSignal\.any\(/.test(text))
  expect(wrong.map(({ file }) => file)).toEqual([])
})
