import { execFileSync } from 'node:child_process'
import { createHash, pbkdf2 } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { resultsCommand } from '../../src/cli/commands/results.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { realClock } from '../../src/timing/clock.ts'
import { plainAppearance, type Appearance } from '../../src/terminal/appearance.ts'
import { settle } from '../support/fake-clock.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { createWorld, textResult } from './world.ts'

/** Runs `results …` on a file, with the environment that names it. */
async function run(file: string, args: string[], isTTY = false, look?: Appearance) {
  const out = Object.assign(new PassThrough(), { isTTY })
  const err = new PassThrough()
  const chunks = { out: [] as Buffer[], err: [] as Buffer[] }
  out.on('data', (chunk: Buffer) => chunks.out.push(chunk))
  err.on('data', (chunk: Buffer) => chunks.err.push(chunk))
  let code = -1
  const program = new Command('x').exitOverride()
  const given = { ...process, stdout: out, stderr: err } as unknown as NodeJS.Process
  resultsCommand(program, {
    process: given,
    wire: given,
    ...(look !== undefined && { look }),
    place: { env: { HUBU_UNIFIED_RESULTS_PATH: file }, home: '/nowhere', platform: 'linux' },
    setExitCode: (given) => (code = given),
  })
  await program.parseAsync(['results', ...args], { from: 'user' })
  return {
    code,
    out: Buffer.concat(chunks.out),
    text: Buffer.concat(chunks.out).toString(),
    err: Buffer.concat(chunks.err).toString(),
  }
}

const live = { clock: realClock, budgetBytes: 900 }
const picture = Buffer.alloc(50_000, 'picture')
const pictureResult = {
  content: [
    { type: 'text' as const, text: 'two files' },
    { type: 'image' as const, data: picture.toString('base64'), mimeType: 'image/png' },
    { type: 'image' as const, data: 'QUJD', mimeType: 'image/gif' },
  ],
}

describe('results list', () => {
  test('names what is stored, newest first, for people and as JSON', async () => {
    using world = createWorld(live)
    expect((await run(world.path, ['list'])).text).toBe('Nothing is stored, and no detached call is known.\n')
    const first = await world.receipt(textResult('a'.repeat(4000)), {
      server: 's',
      tool: 'evil\u001b[2J',
      namespaced: 'x',
    })
    const second = await world.receipt({ ...pictureResult, isError: true })
    const { text, code } = await run(world.path, ['list'])
    expect(code).toBe(0)
    expect(text.split('\n')).toHaveLength(4)
    expect(text).toMatch(/result +stored, error +0s +\d+ +vecgrep\/search \(image\/png\)/)
    expect(text).not.toContain('\u001b')
    const json = JSON.parse((await run(world.path, ['list', '--json'])).text) as { results: { callId: string }[] }
    expect(json.results.map(({ callId }) => callId).sort()).toEqual([first.callId, second.callId].sort())
    expect(json.results[0]).toHaveProperty('expiresAt')
  })

  test('shows calls in the background beside them, and leaves the file as it is', async () => {
    using world = createWorld({ ...live, owner: { name: 'test', host: hostname(), processId: process.pid } })
    const call = { principal: 'local', server: 'atlas', tool: 'atlas_route', namespaced: 'atlas__route' }
    const startedAtMs = Date.now() - 150_000
    const times = { startedAtMs, latestEndMs: Date.now() + 60_000 }
    const end = { kind: 'cancelled' as const, error: 'evil\u001b[2J' }
    await world.results.detached.save({ ...call, ...times, callId: 'b', kind: 'pending' })
    await world.results.detached.save({ ...call, ...times, callId: 'a', kind: 'ended', endedAtMs: startedAtMs, end })
    const before = readFileSync(world.path)
    const { text, code } = await run(world.path, ['list'])
    expect([code, text.split('\n').slice(0, -1)]).toEqual([
      0,
      [
        'CALL ID  KIND  STATE      AGE  BYTES  TOOL',
        'a        call  cancelled  2m   -      atlas/atlas_route',
        'b        call  running    2m   -      atlas/atlas_route',
      ],
    ])
    const { calls } = JSON.parse((await run(world.path, ['list', '--json'])).text) as { calls: object[] }
    expect(calls).toEqual([
      {
        ...{ ...call, callId: 'a', state: 'cancelled', isError: false, bytes: null },
        ...{ startedAt: new Date(startedAtMs).toISOString(), endedAt: new Date(startedAtMs).toISOString() },
      },
      expect.objectContaining({ callId: 'b', state: 'running', endedAt: null }),
    ])
    expect(readFileSync(world.path).equals(before)).toBe(true)
  })
})

describe('results get', () => {
  test('takes the short id that a terminal shows, and says when it could mean several', async () => {
    using world = createWorld(live)
    const look = { ...plainAppearance, isTerminal: true, width: 60 }
    const result = textResult('a'.repeat(4000))
    const { callId } = await world.receipt(result)
    const { text } = await run(world.path, ['list'], true, look)
    const short = text.split('\n')[1]!.split(' ')[0]!
    expect([short.length, callId.startsWith(short)]).toEqual([8, true])
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect(text).toMatch(/\n\nresult +an answer that was too large/)
    expect((await run(world.path, ['list', '--full'], true, look)).text).toContain(callId)
    expect((await run(world.path, ['get', short])).text).toBe(JSON.stringify(result))
    for (let at = 0; at < 16; at++) await world.receipt(result)
    const ids = (await run(world.path, ['list'])).text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(' ')[0]!)
    const first = [...'0123456789abcdef'].find((digit) => ids.filter((id) => id.startsWith(digit)).length > 1)!
    expect((await run(world.path, ['get', first])).err).toMatch(/Several ids begin so: [0-9a-f]{8}, [0-9a-f]{8}/)
    expect((await run(world.path, ['get', 'zz'])).err).toContain('No result is stored under this id')
  })

  test('writes the exact bytes to stdout, or to a file that is there whole or not at all', async () => {
    using world = createWorld(live)
    const result = textResult('é界😀'.repeat(40_000))
    const { callId, sha256 } = await world.receipt(result)
    expect((await run(world.path, ['get', callId])).text).toBe(JSON.stringify(result))
    const target = world.folder.file('out.json')
    writeFileSync(target, 'old')
    expect(await run(world.path, ['get', callId, '-o', target])).toMatchObject({ code: 0, text: '', err: '' })
    expect(createHash('sha256').update(readFileSync(target)).digest('hex')).toBe(sha256)
    const nowhere = await run(world.path, ['get', callId, '-o', world.folder.file('no/such/folder')])
    expect([nowhere.code, nowhere.err]).toEqual([1, 'hubu-unified-mcp: The file cannot be written (ENOENT).\n'])
  })

  test('writes into what is no plain file without replacing it', async () => {
    using world = createWorld(live)
    const { callId } = await world.receipt(textResult('a'.repeat(4000)))
    const pipe = world.folder.file('pipe')
    execFileSync('mkfifo', [pipe])
    const [read] = await Promise.all([
      import('node:fs/promises').then(({ readFile }) => readFile(pipe, 'utf8')),
      run(world.path, ['get', callId, '-o', pipe]),
    ])
    expect(read).toBe(JSON.stringify(textResult('a'.repeat(4000))))
  })

  test('restores a file inside the result', async () => {
    using world = createWorld(live)
    const { callId } = await world.receipt(pictureResult)
    const target = world.folder.file('picture.png')
    const { code, err } = await run(world.path, ['get', callId, '--extract', '-o', target])
    expect([code, err]).toEqual([0, 'File 1 of 2: image/png.\n'])
    expect(readFileSync(target).equals(picture)).toBe(true)
    expect((await run(world.path, ['get', callId, '--extract', '2'])).text).toBe('ABC')
    expect((await run(world.path, ['get', callId, '--extract', '3'])).err).toContain('only 2')
    await expect(run(world.path, ['get', callId, '--extract', 'x'])).rejects.toThrow('from 1 on')
    expect((await run(world.path, ['get', callId, '--extract'], true)).err).toContain('-o FILE')
  })

  test('refuses what is not there, what holds no file, and bytes that are not the stored ones', async () => {
    using world = createWorld(live)
    const { callId } = await world.receipt(textResult('a'.repeat(4000)))
    expect(await run(world.path, ['get', '0'.repeat(32)])).toMatchObject({ code: 1, text: '' })
    expect((await run(world.path, ['get', callId, '--extract'])).err).toContain('no file')
    const database = openDatabase(world.path)
    database.exec("update stored_result set sha256 = 'x'")
    database.close()
    const target = world.folder.file('out.json')
    expect((await run(world.path, ['get', callId, '-o', target])).err).toContain('hash')
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(world.folder.path).filter((name) => name.includes('part'))).toEqual([])
  })

  test('leaves no draft behind although the machine opens it late', async () => {
    using world = createWorld(live)
    const { callId } = await world.receipt(textResult('a'.repeat(4000)))
    const database = openDatabase(world.path)
    database.exec("update stored_result set sha256 = 'x'")
    database.close()
    // Node opens files in a few threads, and these have other work now.
    const busy = Array.from({ length: 16 }, () => promisify(pbkdf2)('x', 'y', 50_000, 32, 'sha256'))
    await run(world.path, ['get', callId, '-o', world.folder.file('out.json')])
    await Promise.all(busy)
    await settle()
    expect(readdirSync(world.folder.path).filter((name) => name.includes('part'))).toEqual([])
  })
})

describe('results prune', () => {
  test('removes what has expired, or everything when told so', async () => {
    using world = createWorld(live)
    await world.receipt(textResult('a'.repeat(4000)))
    expect((await run(world.path, ['prune'])).text).toBe('Removed 0 results.\n')
    expect((await run(world.path, ['prune', '--all'])).text).toBe('Removed 1 result.\n')
    expect(world.count('stored_result')).toBe(0)
  })

  test('makes no file where there is none', async () => {
    using folder = tempFolder()
    expect((await run(folder.file('r.sqlite3'), ['prune'])).text).toBe('Removed 0 results.\n')
    expect(existsSync(folder.file('r.sqlite3'))).toBe(false)
  })

  test('sets a damaged file aside, after which results are stored again', async () => {
    using folder = tempFolder()
    const file = folder.file('results.sqlite3')
    writeFileSync(file, 'no database at all '.repeat(500))
    using world = createWorld({ folder, ...live })
    expect(await world.store(textResult('a'.repeat(4000)))).toBeUndefined()
    const { code, text } = await run(file, ['prune'])
    expect([code, text]).toEqual([0, expect.stringContaining('.damaged-')])
    expect(readdirSync(folder.path).filter((name) => name.includes('.damaged-'))).toHaveLength(1)
    await world.receipt(textResult('a'.repeat(4000)))
    mkdirSync(folder.file('folder'))
    expect(await run(folder.file('folder'), ['prune'])).toMatchObject({ code: 1 })
  })
})
