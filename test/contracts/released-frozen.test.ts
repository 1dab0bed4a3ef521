import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { releasedDrift, type ContractManifest } from '../../scripts/codegen/released.ts'
import { releaseContracts } from '../../scripts/release-contract.ts'
import { contractsCopy, root } from './root.ts'

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'contracts/manifest.json'), 'utf8')) as ContractManifest

test('every released contract file is as it was released', () => {
  expect(releasedDrift(root)).toEqual([])
})

test('tools, routing and what agents read are released; receipts, pages, configuration, hints and backends are drafts', () => {
  const released = Object.keys(readManifest(root).released)
  const tools = readdirSync(path.join(root, 'contracts/tools/v1')).map((file) => `tools/v1/${file}`)
  expect(tools).toHaveLength(34)
  expect(released.sort()).toEqual(
    [
      ...tools,
      'router/capabilities.v1.schema.json',
      'router/error.v1.schema.json',
      'router/invocation.v1.schema.json',
      'router/operation.v1.schema.json',
      'router/protocol.v1.json',
      'router/spend-result.v1.schema.json',
      'routing/v1.json',
    ].sort(),
  )
})

test('an edited released file fails and says how to add a version instead', () => {
  using copy = contractsCopy()
  const file = copy.file('contracts/tools/v1/hubu_health.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Check Hubu health', 'Check health'))
  const drift = releasedDrift(copy.path)
  expect(drift).toHaveLength(1)
  expect(drift[0]).toMatch(/contracts\/tools\/v1\/hubu_health\.json is released.*next version.*manifest\.json.*codegen/)
})

test('a removed released file fails as well', () => {
  using copy = contractsCopy()
  rmSync(copy.file('contracts/routing/v1.json'))
  expect(releasedDrift(copy.path)).toEqual([expect.stringContaining('contracts/routing/v1.json is released')])
})

test('a release records the hash of a draft once, and again changes nothing', () => {
  using copy = contractsCopy()
  expect(releaseContracts(copy.path, ['router/receipt.v1.schema.json'])).toEqual(['router/receipt.v1.schema.json'])
  expect(readManifest(copy.path).released['router/receipt.v1.schema.json']).toMatch(/^[0-9a-f]{64}$/)
  expect(releaseContracts(copy.path, ['router/receipt.v1.schema.json', 'tools/v1'])).toEqual([])
  expect(releasedDrift(copy.path)).toEqual([])
})

test('a release never records an edited file anew, and then records nothing at all', () => {
  using copy = contractsCopy()
  writeFileSync(copy.file('contracts/routing/v1.json'), '{}\n')
  const before = readFileSync(copy.file('contracts/manifest.json'), 'utf8')
  expect(() => releaseContracts(copy.path, ['router/page.v1.schema.json', 'routing/v1.json'])).toThrow(
    /released and was edited since/,
  )
  expect(readFileSync(copy.file('contracts/manifest.json'), 'utf8')).toBe(before)
})

test.each(['README.md', 'manifest.json', 'routing/routing.schema.json', '../package-lock.json', 'tools/v9', '.'])(
  '%s is no version of a contract and cannot be released',
  (name) => {
    using copy = contractsCopy()
    expect(() => releaseContracts(copy.path, [name])).toThrow(/carries no version|there is no contracts/)
  },
)
