import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../../../src/cli/program.ts'
import { windowStart } from '../../../src/cli/pins/window.ts'
import { shortName } from '../../../src/names/short-name.ts'
import { createRecorder } from '../../../src/stats/record.ts'
import { migrate, openDatabase } from '../../../src/storage/database.ts'
import { resultsMigrations } from '../../../src/storage/migrations.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const yaml = `# my servers
expose: all   # for now
pin:
  - atlas__route
  - ledger__*
servers:
  atlas: { command: atlas-mcp, enabled: true }   # maps
  ledger: { command: ledger-mcp, enabled: true }
`

/** Runs a command line in this process. */
async function run(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const out = new PassThrough()
  const err = new PassThrough()
  const fake = {
    ...process,
    env,
    stdout: out,
    stderr: err,
    platform: process.platform,
    argv: process.argv,
    version: process.version,
  }
  const code = await runProgram(args, fake as unknown as NodeJS.Process)
  return { code, stdout: String(out.read() ?? ''), stderr: String(err.read() ?? '') }
}

function recorded(file: string, calls: [server: string, tool: string, times: number, isOk?: boolean][]): void {
  const recorder = createRecorder({
    open: () => {
      const database = openDatabase(file)
      migrate(database, resultsMigrations)
      return database
    },
    clock: { nowMs: Date.now, after: () => () => {} },
    warn: () => {},
  })
  for (const [server, tool, times, isOk = true] of calls) {
    for (let n = 0; n < times; n++) {
      recorder.record({
        atMs: Date.now(),
        server,
        tool,
        publicName: `${server}__${tool === 'live_echo' ? tool : shortName(server, tool)}`,
        durationMs: 10,
        isOk,
        errorClass: isOk ? null : 'tool_error',
        argumentBytes: 2,
        receivedBytes: 98,
        sentBytes: 98,
        principal: 'local',
        agent: '',
        via: 'mount',
      })
    }
  }
  recorder.close()
}

describe('pin and unpin', () => {
  test('change only the list; comments and layout stay, and the old file is kept', async () => {
    using folder = tempFolder()
    const file = folder.file('config.yaml')
    writeFileSync(file, yaml)
    expect(await run(['pin', 'ledger__add', 'atlas__route', '--config', file])).toMatchObject({
      code: 0,
      stdout: '1 pinned (ledger__add), 3 in all.\n',
    })
    expect(readFileSync(file, 'utf8')).toBe(yaml.replace('  - ledger__*\n', '  - ledger__*\n  - ledger__add\n'))
    expect(readdirSync(folder.path).filter((name) => name.includes('.bak-'))).toHaveLength(1)
    expect((await run(['pin', '--config', file])).stdout).toBe('atlas__route\nledger__*\nledger__add\n')
    expect(await run(['unpin', 'ledger', 'none', '--config', file])).toMatchObject({
      code: 0,
      stdout: 'none matches no pin.\n2 unpinned (ledger__*, ledger__add), 1 in all.\n',
    })
    expect(readFileSync(file, 'utf8')).toBe(yaml.replace('  - ledger__*\n', ''))
  })

  test('a pin of an unknown server is refused and nothing is written', async () => {
    using folder = tempFolder()
    const file = folder.file('config.yaml')
    writeFileSync(file, yaml)
    const refused = await run(['pin', 'ghost', '--config', file])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/names no configured server/)
    expect(readFileSync(file, 'utf8')).toBe(yaml)
    expect(readdirSync(folder.path)).toEqual(['config.yaml'])
  })

  test('--top pins the most called tools of configured servers', async () => {
    using folder = tempFolder()
    const file = folder.file('config.yaml')
    writeFileSync(file, yaml.replace(/pin:\n(  - .*\n)+/, ''))
    recorded(folder.file('results'), [
      ['ledger', 'add_entry', 5],
      ['ghost', 'x', 4],
      ['atlas', 'atlas_route', 3],
      ['atlas', 'atlas_geocode', 1],
    ])
    const result = await run(['pin', '--top', '2', '--config', file], {
      HUBU_UNIFIED_RESULTS_PATH: folder.file('results'),
    })
    expect(result.stdout).toBe('2 pinned (atlas__route, ledger__add_entry), 2 in all.\n')
  })

  test('--top counts successes, breaks ties by name, knows contested names, and skips what is pinned', async () => {
    using folder = tempFolder()
    const file = folder.file('config.yaml')
    writeFileSync(file, `${yaml}  live: { command: live-mcp, enabled: true }\n`)
    recorded(folder.file('results'), [
      ['atlas', 'atlas_route', 9],
      ['ledger', 'add_entry', 8],
      ['atlas', 'broken', 7, false],
      ['live', 'live_echo', 3],
      ['live', 'echo', 2],
      ['atlas', 'zebra', 2],
      ['atlas', 'map', 2],
    ])
    const env = { HUBU_UNIFIED_RESULTS_PATH: folder.file('results') }
    const top = async (most: string) => (await run(['pin', '--top', most, '--config', file], env)).stdout
    expect(await top('2')).toBe('2 pinned (atlas__map, live__live_echo), 4 in all.\n')
    expect(await top('5')).toBe('2 pinned (atlas__zebra, live__echo), 6 in all.\n')
    expect(await top('5')).toBe('No calls of tools that could be pinned are recorded.\n0 pinned, 6 in all.\n')
  })
})

describe('expose', () => {
  test('flips the mode where it stands and leaves its comment alone', async () => {
    using folder = tempFolder()
    const file = folder.file('config.yaml')
    writeFileSync(file, yaml)
    expect(await run(['expose', 'lazy', '--config', file])).toMatchObject({ code: 0, stdout: 'expose: lazy\n' })
    expect(readFileSync(file, 'utf8')).toBe(yaml.replace('expose: all   #', 'expose: lazy   #'))
    expect((await run(['expose', 'lazy', '--config', file])).stdout).toBe('expose: lazy (as before)\n')
    expect(await run(['expose', 'some', '--config', file])).toMatchObject({ code: 2 })
  })

  test('without a configuration file says how to name one', async () => {
    using folder = tempFolder()
    const missing = await run(['expose', 'all', '--config', folder.file('none.yaml')])
    expect(missing.code).toBe(1)
    expect(missing.stderr).toMatch(/does not exist/)
    expect(existsSync(folder.file('none.yaml'))).toBe(false)
  })
})

describe('stats', () => {
  test('prints totals and tables, for machines too, and nothing when nothing was recorded', async () => {
    using folder = tempFolder()
    const env = { HUBU_UNIFIED_RESULTS_PATH: folder.file('results') }
    expect((await run(['stats'], env)).stdout).toMatch(/^0 calls/)
    recorded(folder.file('results'), [
      ['atlas', 'route', 2],
      ['ledger', 'add', 1],
    ])
    const text = (await run(['stats', '--tools', '--recent', '1'], env)).stdout
    expect(text).toMatch(/^3 calls, 0 errors, 30 ms, about 75 tokens; 294 bytes received, 294 sent\n/)
    expect(text).toMatch(/SERVER +TOOL +CALLS/)
    expect(text).toMatch(/atlas +route +2/)
    const json = JSON.parse((await run(['stats', '--json', '--server', 'ledger'], env)).stdout) as {
      totals: { calls: number }
    }
    expect(json.totals.calls).toBe(1)
    expect(await run(['stats', '--since', '3w'], env)).toMatchObject({ code: 2 })
    expect(await run(['stats', '--recent', '0'], env)).toMatchObject({ code: 2 })
  })

  test.each([
    ['24h', 86_400_000],
    ['90m', 5_400_000],
    ['7d', 604_800_000],
    ['3w', undefined],
    ['-1h', undefined],
    ['7', undefined],
  ])('a window of %s', (text, lengthMs) => {
    expect(windowStart(text, 1e12)).toBe(lengthMs === undefined ? undefined : 1e12 - lengthMs)
  })
})
