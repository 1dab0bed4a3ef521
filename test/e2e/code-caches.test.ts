import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const bundlesIn = (folder: string) =>
  readdirSync(folder).flatMap((name) => /^([\w-]+\.cjs)[.-]v.*\.cache$/.exec(name)?.[1] ?? [])

test('the build ships a code cache for every bundle; without them the first session makes its own and the next takes them', async () => {
  const dist = path.dirname(built.bin)
  const bundles = readdirSync(dist).filter((name) => name.endsWith('.cjs'))
  expect(bundlesIn(dist)).toEqual(bundles)
  for (const name of readdirSync(dist)) if (name.endsWith('.cache')) rmSync(path.join(dist, name))

  using folder = tempFolder()
  writeFileSync(folder.file('config.yaml'), 'version: 1\nservers:\n  none: { command: none }\n')
  const env = {
    PATH: process.env.PATH ?? '',
    XDG_DATA_HOME: folder.path,
    HUBU_UNIFIED_CONFIG: folder.file('config.yaml'),
  }
  const session = async () => {
    using router = startRouter(built.bin, env)
    await router.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    })
    expect((await router.request('tools/list')).result?.tools?.length).toBeGreaterThan(0)
    expect(await router.end()).toEqual([0, null])
    expect(router.stderr).toBe('')
  }
  await session()
  const caches = folder.file('hubu-unified-mcp/code-cache')
  const made = readdirSync(caches)
  expect(bundlesIn(caches)).toEqual(expect.arrayContaining(['config-file.cjs', 'gateway.cjs', 'serve.cjs']))
  const inodes = () => made.map((name) => statSync(path.join(caches, name)).ino)
  const before = inodes()
  await session()
  expect([readdirSync(caches), inodes()]).toEqual([made, before])
})
