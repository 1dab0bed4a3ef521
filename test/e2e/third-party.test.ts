import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { thirdPartyTexts } from '../../scripts/build/third-party.ts'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('the build ships the licence of every package whose code it bundles', async () => {
  using built = await buildBin()
  const shipped = readFileSync(path.join(path.dirname(built.bin), 'THIRD-PARTY.txt'), 'utf8')
  const homes = new Set<string>()
  for (const file of built.bundles.flatMap(({ inputs }) => Object.keys(inputs))) {
    const parts = file.split('/')
    const at = parts.lastIndexOf('node_modules')
    if (at >= 0) homes.add(parts.slice(0, at + (parts[at + 1]!.startsWith('@') ? 3 : 2)).join('/'))
  }
  expect(homes.size).toBeGreaterThan(10)
  for (const home of homes) {
    const { name, version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Record<
      string,
      string
    >
    const section = shipped.split(/\n-{80}\n/).find((text) => text.trim().startsWith(`${name} ${version} (`))
    expect(section, home).toMatch(/copyright|licensed under/i)
    expect(section?.length, home).toBeGreaterThan(500)
  }
})

test('a package without a licence text is not bundled', () => {
  using folder = tempFolder()
  mkdirSync(folder.file('odd'))
  writeFileSync(folder.file('odd/package.json'), '{"name":"odd","version":"1.0.0","license":"MIT"}')
  expect(() => thirdPartyTexts(folder.path, ['odd'])).toThrow('odd brings no licence text')
})
