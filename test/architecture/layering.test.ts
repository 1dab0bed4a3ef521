// Who may import whom, held against the sources.
import { describe, expect, test } from 'vitest'
import { importsOf, runningImportsOf, targetOf } from './imports.ts'
import { readSources, type Source } from './sources.ts'

/** The shared vocabulary: every room below may speak it, except the sandbox, which reads the contracts for itself. */
const vocabulary = ['generated', 'redaction', 'timing', 'json', 'errors', 'names', 'terminal'] as const

/**
 * Each room of src/ with the rooms that it may import. A room imports only rooms that stand above it, so there are no
 * cycles. `#generated` counts as a room above all.
 */
const mayImport: Record<string, readonly string[]> = {
  timing: [],
  terminal: ['timing'],
  json: [],
  redaction: ['json', 'timing'],
  errors: ['generated', 'json'],
  names: ['generated'],
  search: ['json', 'names', 'timing'],
  documents: ['errors', 'json', 'names'],
  storage: ['errors', 'timing'],
  // How the bin takes over compiled code.
  bundles: ['storage'],
  catalog: [...vocabulary],
  answers: [...vocabulary, 'catalog'],
  // What edges and rooms say to each other.
  wire: [...vocabulary, 'answers'],
  config: [...vocabulary, 'documents'],
  identity: [...vocabulary, 'catalog'],
  backends: [...vocabulary, 'catalog'],
  // A mounted tool is advertised under the names that lazy mode resolves.
  downstream: [...vocabulary, 'catalog'],
  // What mounted servers list, and have listed.
  activity: [...vocabulary, 'storage', 'downstream'],
  capabilities: [...vocabulary, 'catalog', 'backends'],
  approvals: [...vocabulary, 'backends'],
  // Of identity only the type of a call's identity: what a row is found by.
  operations: [...vocabulary, 'storage', 'identity'],
  results: [...vocabulary, 'storage', 'catalog', 'answers'],
  // Usage: it reads and writes the results file only.
  stats: [...vocabulary, 'storage'],
  calls: [
    ...vocabulary,
    ...['catalog', 'answers', 'wire', 'identity', 'backends', 'capabilities', 'operations', 'results'],
  ],
  gateway: [
    ...vocabulary,
    ...['search', 'catalog', 'answers', 'wire', 'identity', 'downstream', 'capabilities', 'results', 'stats', 'calls'],
  ],
  server: [...vocabulary, 'answers', 'wire'],
  // The part of serve.ts that a configured router needs besides.
  'serve-gateway.ts': [...vocabulary, 'wire', 'config', 'activity', 'stats', 'storage', 'gateway'],
  'serve-results.ts': [...vocabulary, 'config', 'answers', 'results', 'calls'],
  'serve-news.ts': [...vocabulary, 'calls', 'serve-gateway.ts', 'wire'],
  'serve-state.ts': [...vocabulary, 'operations'],
  // Everything that answers a request; serve.ts wires what stands before it.
  'serve-router.ts': [
    ...vocabulary,
    ...[
      'serve-gateway.ts',
      'serve-news.ts',
      'serve-results.ts',
      'serve-state.ts',
      'config',
      'backends',
      'capabilities',
    ],
    ...['answers', 'calls', 'server', 'wire'],
  ],
  // All of it opened and ended, for whichever edge serves.
  'serve-rooms.ts': [
    ...vocabulary,
    ...[
      'serve-router.ts',
      'serve-gateway.ts',
      'serve-results.ts',
      'serve-state.ts',
      'config',
      'backends',
      'capabilities',
      'calls',
      'wire',
    ],
  ],
  'serve.ts': [...vocabulary, 'serve-rooms.ts', 'config', 'capabilities', 'calls', 'server', 'wire'],
  // The edge that only serve --http loads.
  http: [
    ...vocabulary,
    ...['documents', 'storage', 'catalog', 'answers', 'config', 'calls', 'capabilities', 'wire'],
    'serve-rooms.ts',
  ],
  'client-configs': ['errors', 'json', 'names', 'terminal', 'documents'],
  // A second reading of the contracts: it shares nothing with the router that could be wrong on both sides.
  sandbox: ['storage', 'generated'],
  doctor: [
    ...vocabulary,
    ...['documents', 'config', 'storage', 'catalog', 'backends', 'downstream', 'capabilities', 'operations'],
    'client-configs',
  ],
  // Speaks to the built program as any client does.
  demo: ['generated', 'timing'],
  // A page for people; nothing else loads it.
  studio: [...vocabulary, ...['config', 'storage', 'backends', 'activity', 'doctor', 'operations', 'results', 'stats']],
  // The browser's part of it: types only.
  'studio-page': ['studio'],
  cli: [
    ...vocabulary,
    ...['documents', 'config', 'storage', 'backends', 'downstream', 'approvals', 'operations', 'results', 'gateway'],
    ...['stats', 'client-configs', 'doctor', 'sandbox', 'demo', 'serve.ts', 'http', 'activity', 'studio'],
  ],
  'main.ts': ['bundles', 'errors', 'config', 'storage', 'cli'],
}

const sources = readSources('src')
const roomOf = (file: string): string => file.split('/')[1] ?? file

/** The rooms that a file imports, its own and `generated` included. */
function roomsOf(source: Source): string[] {
  return importsOf(source).flatMap((specifier) => {
    if (specifier.startsWith('#generated/')) return ['generated']
    const target = targetOf(source, specifier)
    if (target === undefined) return []
    return [target.startsWith('src/') ? roomOf(target) : `outside src: ${target}`]
  })
}

/** Imports that the table does not allow, as sentences. */
function breachesOf(source: Source): string[] {
  const room = roomOf(source.file)
  const allowed = mayImport[room] ?? []
  const wrong = roomsOf(source).filter((imported) => imported !== room && !allowed.includes(imported))
  return [...new Set(wrong)].map((imported) => `${source.file} imports ${imported}`)
}

test('every room of src/ has its row in this table', () => {
  const rooms = new Set(sources.map(({ file }) => roomOf(file)))
  expect([...rooms].filter((room) => !(room in mayImport))).toEqual([])
})

test('a room imports only rooms above it in the table', () => {
  const order = ['generated', ...Object.keys(mayImport)]
  for (const [room, allowed] of Object.entries(mayImport)) {
    const below = allowed.filter((other) => !(order.indexOf(other) >= 0 && order.indexOf(other) < order.indexOf(room)))
    expect(below, room).toEqual([])
  }
})

test.each(Object.keys(mayImport))('%s imports only what its row allows', (room) => {
  expect(sources.filter(({ file }) => roomOf(file) === room).flatMap(breachesOf)).toEqual([])
})

test('of identity, operations take nothing but types', () => {
  const operations = sources.filter(({ file }) => file.startsWith('src/operations/'))
  const running = (source: Source) => runningImportsOf(source).filter((specifier) => specifier.includes('/identity/'))
  expect(operations.flatMap(running)).toEqual([])
  expect(operations.flatMap(importsOf).filter((specifier) => specifier.includes('/identity/'))).not.toEqual([])
})

test('no file leads back to itself by imports, those of types included', () => {
  expect(cyclesOf(readSources('src', 'scripts', 'test'))).toEqual([])
})

describe('what this test would catch', () => {
  const planted = (file: string, text: string): Source => ({ file, text })

  test.each([
    [planted('src/sandbox/hubu/x.ts', "import { x } from '../../backends/hubu/request.ts'"), 'backends'],
    [planted('src/errors/x.ts', "export * from '../calls/refusals.ts'"), 'calls'],
    [planted('src/redaction/x.ts', "const x = await import('../config/paths.ts')"), 'config'],
    [planted('src/backends/x.ts', "import type { X } from '../operations/row.ts'"), 'operations'],
    [planted('src/server/x.ts', "import x from '../../scripts/build.ts'"), 'outside src: scripts/build.ts'],
  ])('$file', (source, imported) => {
    expect(breachesOf(source)).toEqual([`${source.file} imports ${imported}`])
  })

  test('a cycle of two files', () => {
    const pair = [planted('src/a/x.ts', "import '../b/y.ts'"), planted('src/b/y.ts', "import '../a/x.ts'")]
    expect(cyclesOf(pair)).toEqual(['src/a/x.ts > src/b/y.ts > src/a/x.ts'])
  })
})

/** Import cycles between files, each as the way around. */
function cyclesOf(files: readonly Source[]): string[] {
  const byFile = new Map(files.map((source) => [source.file, source]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, way: string[]) => {
    const at = way.indexOf(file)
    if (at >= 0) return void found.push([...way.slice(at), file].join(' > '))
    if (done.has(file)) return
    const source = byFile.get(file)
    if (source === undefined) return
    for (const specifier of importsOf(source)) {
      const target = targetOf(source, specifier)
      if (target !== undefined) visit(target, [...way, file])
    }
    done.add(file)
  }
  for (const { file } of files) visit(file, [])
  return found
}
