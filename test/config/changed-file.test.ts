// A config file that changes while the router serves.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { followConfig } from '../../src/config/config-source.ts'
import { configure } from '../../src/config/configure.ts'
import type { FileSettings } from '../../src/config/file-settings.ts'
import { watchFile } from '../../src/config/watch-file.ts'
import { tempFolder } from '../support/temp-folder.ts'

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

/** A watched file under a clock that only the test moves: `look` ends when the next look is planned. */
function watched(path: string) {
  const seen: (string | undefined)[] = []
  const waits: number[] = []
  let due = () => {}
  let isPlanned = () => {}
  const end = watchFile({
    path,
    clock: {
      after: (ms, work) => {
        waits.push(ms)
        due = work
        isPlanned()
        return () => (due = () => {})
      },
    },
    onChange: (bytes) => seen.push(bytes && Buffer.from(bytes).toString()),
  })
  endings.push(end)
  const look = () =>
    new Promise<void>((resolve) => {
      isPlanned = resolve
      due()
    })
  return { seen, waits, look, end, isDue: () => due }
}

describe('a watched file', () => {
  test('is read once for each change, replaced by name or written in place, after it has come to rest', async () => {
    using folder = tempFolder()
    const path = folder.file('config.yaml')
    writeFileSync(path, 'one')
    const { seen, waits, look } = watched(path)
    for (let n = 0; n < 4; n++) await look()
    expect(seen).toEqual(['one'])
    expect(waits).toEqual([2000, 200, 2000, 2000, 2000])

    writeFileSync(folder.file('new'), 'two')
    renameSync(folder.file('new'), path)
    await look()
    writeFileSync(path, 'two and a')
    await look()
    writeFileSync(path, 'two and a half')
    await look()
    expect(seen).toEqual(['one'])
    await look()
    await look()
    expect(seen).toEqual(['one', 'two and a half'])
  })

  test.skipIf(process.platform === 'win32')(
    'is read again when the link on its way is turned to another folder',
    async () => {
      using folder = tempFolder()
      for (const [name, text] of [
        ['first', 'one'],
        ['second', 'two'],
      ] as const) {
        mkdirSync(folder.file(name))
        writeFileSync(path.join(folder.file(name), 'config.yaml'), text)
      }
      symlinkSync('first', folder.file('..data'))
      symlinkSync('..data/config.yaml', folder.file('config.yaml'))
      const { seen, look } = watched(folder.file('config.yaml'))
      for (let n = 0; n < 3; n++) await look()
      symlinkSync('second', folder.file('..new'))
      renameSync(folder.file('..new'), folder.file('..data'))
      for (let n = 0; n < 3; n++) await look()
      expect(seen).toEqual(['one', 'two'])
    },
  )

  test('that goes away is told once and found again when it comes back', async () => {
    using folder = tempFolder()
    const path = folder.file('config.yaml')
    writeFileSync(path, 'one')
    const { seen, look } = watched(path)
    for (let n = 0; n < 2; n++) await look()
    rmSync(path)
    for (let n = 0; n < 4; n++) await look()
    writeFileSync(path, 'three')
    for (let n = 0; n < 3; n++) await look()
    expect(seen).toEqual(['one', undefined, 'three'])
  })

  test('is looked after no more at the end, and never when it is no file', async () => {
    using folder = tempFolder()
    const { waits, end } = watched(folder.path)
    const file = watched(folder.file('config.yaml'))
    await file.look()
    file.end()
    file.isDue()()
    end()
    expect(waits).toEqual([2000])
    expect(file.waits).toEqual([2000, 200])
  })
})

/** A followed file in the hands of a test. */
async function followed(text: string, env: Record<string, string> = {}, agent?: string) {
  const folder = tempFolder()
  endings.push(() => folder[Symbol.dispose]())
  const config = folder.file('config.yaml')
  writeFileSync(config, text)
  const started = await configure({ env, home: folder.path, platform: 'linux' }, { config, agent })
  const applied: FileSettings[] = []
  const warnings: string[] = []
  const take = followConfig({
    source: started.source!,
    started,
    apply: (settings) => applied.push(settings),
    warn: (message) => warnings.push(message),
  })
  return {
    applied,
    warnings,
    path: folder.path,
    change: (next?: string) => take(next === undefined ? undefined : Buffer.from(next)),
  }
}

const atlas = 'servers: { atlas: { command: atlas-mcp, enabled: true } }\n'

describe('a config file that changes', () => {
  test('is applied once for each change of what it says, and not for its layout', async () => {
    const { applied, warnings, change } = await followed(atlas)
    change(atlas)
    change(`# a remark\n${atlas}`)
    expect(applied).toEqual([])
    change(`${atlas}pin: [atlas__route]\nexpose: lazy\n`)
    change(`${atlas}pin: [atlas__route]\nexpose: lazy # again\n`)
    expect(applied).toMatchObject([{ expose: 'lazy', gateway: { pin: ['atlas__route'] } }])
    expect(warnings).toEqual([])
  })

  test('and is not valid changes nothing and is told once, with its place and without its folder or a value', async () => {
    const { applied, warnings, path, change } = await followed(atlas)
    const invalid = 'servers:\n  atlas: { command: atlas-mcp, env: { TOKEN: canary }, url: "http://canary.test" }\n'
    change(invalid)
    change(invalid)
    expect(applied).toEqual([])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/former configuration stays: config\.yaml:2:\d+: servers\.atlas/)
    expect(warnings[0]).not.toMatch(/canary/)
    expect(warnings[0]).not.toContain(path)
    change(`servers: { atlas: { command: [`)
    expect(warnings[1]).toMatch(/config\.yaml:1:/)
    change(atlas)
    expect(applied).toEqual([])
    change(`${atlas}pin: [atlas]\n`)
    expect(applied).toHaveLength(1)
  })

  test('that is missing or empty for a while is one warning until it is whole again', async () => {
    const { applied, warnings, change } = await followed(atlas)
    for (const nothing of [undefined, '', ' \n', undefined]) change(nothing)
    expect(warnings).toEqual(['The config file is missing, empty or cannot be read; the former configuration stays.'])
    change(atlas)
    change('')
    expect(warnings).toHaveLength(2)
    expect(applied).toEqual([])
  })

  test('is read under the same environment and flags as at the start', async () => {
    const env = { HUBU_UNIFIED_EXPOSE: 'lazy', HUBU_UNIFIED_RESPONSE_BUDGET: '64KB' }
    const agents = (more: string) => `${atlas}agents: { tiny: { type: claude, path: /x${more} } }\n`
    const { applied, warnings, change } = await followed(agents(''), env, 'tiny')
    change(`expose: all\nresponse_budget: 1MB\n${agents(', servers: [hubu]')}`)
    expect(applied).toMatchObject([{ expose: 'lazy', results: { budgetBytes: 65536 }, agent: { servers: ['hubu'] } }])
    expect(warnings).toEqual([])
    change(`${atlas}agents: { other: { type: claude, path: /x } }\n`)
    expect(applied).toHaveLength(1)
    expect(warnings[0]).toMatch(/--agent names no agent of the config file/)
  })

  test('in keys that count from the next start on says so once, and everything else counts', async () => {
    const { applied, warnings, change } = await followed(atlas)
    change(`${atlas}response_budget: 1MB\nverbatim: true\npin: [atlas]\n`)
    change(`${atlas}response_budget: 1MB\nverbatim: true\n`)
    expect(warnings).toEqual(['The config file has changed; response_budget and verbatim will count after a restart.'])
    expect(applied.map(({ gateway }) => gateway?.pin)).toEqual([['atlas'], undefined])
    change(atlas)
    expect(warnings).toHaveLength(1)
  })
})
