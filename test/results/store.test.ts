import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { resultsApplicationId, resultsMigrations } from '../../src/storage/migrations.ts'
import { openDatabase, readFileMarks } from '../../src/storage/database.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { createWorld, textResult } from './world.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { realClock } from '../../src/timing/clock.ts'

const dayMs = 24 * 60 * 60 * 1000
const mebibyte = 1024 * 1024
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

describe('the file', () => {
  test('is made with the first stored result, private in a private folder', async () => {
    using folder = tempFolder()
    using world = createWorld({ folder, path: folder.file('new/deep/results.sqlite3') })
    await world.get({ callId: '0'.repeat(32) })
    expect(existsSync(folder.file('new'))).toBe(false)
    await world.receipt(textResult('a'.repeat(4000)))
    expect(modeOf(folder.file('new/deep'))).toBe('700')
    for (const side of ['', '-wal', '-shm']) expect(modeOf(world.path + side)).toBe('600')
    expect(readFileMarks(world.path)).toMatchObject({
      applicationId: resultsApplicationId,
      userVersion: resultsMigrations.length,
    })
  })

  test('an existing folder keeps its mode', async () => {
    using folder = tempFolder()
    mkdirSync(folder.file('old'))
    chmodSync(folder.file('old'), 0o755)
    using world = createWorld({ folder, path: folder.file('old/results.sqlite3') })
    await world.receipt(textResult('a'.repeat(4000)))
    expect(modeOf(folder.file('old'))).toBe('755')
  })

  test('results outlive the process that stored them', async () => {
    using folder = tempFolder()
    const result = textResult('a'.repeat(4057))
    const first = createWorld({ folder })
    const { callId } = await first.receipt(result)
    first[Symbol.dispose]()
    using second = createWorld({ folder })
    expect((await second.readAll(callId)).bytes.toString()).toBe(JSON.stringify(result))
  })

  test('every id is 128 bits in hex and another one', async () => {
    using world = createWorld()
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push((await world.receipt(textResult('a'.repeat(4000)))).callId)
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(20)
  })

  test('24 results stored and read side by side come back exactly', async () => {
    using world = createWorld({ budgetBytes: 4096 })
    const one = async (n: number) => {
      const result = textResult(['ascii', 'é界😀', '{"a":[1]}', '<&>\u2028'][n % 4]!.repeat(3000 + n * 500))
      const { callId } = await world.receipt(result)
      return (await world.readAll(callId)).bytes.toString() === JSON.stringify(result)
    }
    expect(await Promise.all(Array.from({ length: 24 }, (_, n) => one(n)))).toEqual(Array(24).fill(true))
  })

  test('two rooms on one file store, prune and read at the same time, and nobody sees a locked file', async () => {
    using folder = tempFolder()
    using one = createWorld({ folder, budgetBytes: 4096 })
    using two = createWorld({ folder, budgetBytes: 4096 })
    const work = async (world: typeof one, n: number) => {
      const result = textResult(`${n} `.repeat(60_000))
      const { callId } = await world.receipt(result)
      return (await (n % 2 ? one : two).readAll(callId)).bytes.length - JSON.stringify(result).length
    }
    const all = Array.from({ length: 16 }, (_, n) => work(n % 3 ? one : two, n))
    const prunings = [one, two].map((world) => world.prune())
    expect(new Set(await Promise.all(all))).toEqual(new Set([0]))
    await Promise.all(prunings)
    expect([...one.warnings, ...two.warnings]).toEqual([])
  })

  test('a picture of megabytes comes back byte for byte, stored once', async () => {
    using world = createWorld({ budgetBytes: 32_768 })
    const image = Buffer.alloc(3 * mebibyte, 'picture').toString('base64')
    const result = {
      content: [
        { type: 'text' as const, text: 'same' },
        { type: 'image' as const, data: image, mimeType: 'image/png' },
      ],
      structuredContent: { text: 'same' },
    }
    const receipt = await world.receipt(result)
    expect(receipt).toMatchObject({ mediaType: 'image/png', mediaBytes: 3 * mebibyte, preview: 'same' })
    expect((await world.readAll(receipt.callId)).bytes.toString()).toBe(JSON.stringify(result))
    expect(world.count('stored_result')).toBe(1)
  })
})

describe('expiry', () => {
  test('expired results go when the room opens, every hour, and before a new one', async () => {
    using folder = tempFolder()
    const first = createWorld({ folder })
    await first.receipt(textResult('a'.repeat(4000)))
    first.clock.skip(dayMs)
    await first.receipt(textResult('b'.repeat(4000)))
    expect(first.count('stored_result')).toBe(1)
    first.clock.skip(dayMs)
    expect(first.clock.intervalsMs).toEqual([60 * 60 * 1000])
    await first.prune()
    expect(first.count('stored_result')).toBe(0)
    await first.receipt(textResult('c'.repeat(4000)))
    first[Symbol.dispose]()
    using second = createWorld({ folder, wallMs: first.clock.nowMs() + dayMs })
    await expect.poll(() => second.count('stored_result')).toBe(0)
    expect(second.count('result_chunk')).toBe(0)
  })

  test('the file shrinks again when a large result has expired', async () => {
    using world = createWorld({ budgetBytes: 4096 })
    await world.receipt(textResult('a'.repeat(12 * mebibyte)))
    const whole = () => statSync(world.path).size + statSync(`${world.path}-wal`).size
    expect(whole()).toBeGreaterThan(12 * mebibyte)
    world.clock.skip(dayMs)
    await world.prune()
    expect(world.count('result_chunk')).toBe(0)
    expect(checkpointedBytes(world.path)).toBeLessThan(mebibyte)
  })

  test('what a killed process left unfinished is never readable and goes after ten minutes', async () => {
    using folder = tempFolder()
    using killed = createWorld({ folder })
    const left = '1'.repeat(32)
    const dying = createWorld({ folder, randomHex: () => left })
    // Without its file it cannot clean up, as a killed process cannot.
    const pieces = function* () {
      for (let n = 0; n < 64; n++) yield 'x'.repeat(32 * 1024)
      dying.results.close()
      yield 'x'.repeat(mebibyte)
    }
    const result = { kind: 'relayed' as const, pieces, isError: false, firstText: () => '', media: undefined }
    expect(await dying.store(result)).toBeUndefined()
    expect(killed.count('result_chunk')).toBeGreaterThan(0)
    expect((await killed.page({ callId: left })).status).toBe('unavailable')
    killed.clock.skip(10 * 60 * 1000 - 1)
    await killed.prune()
    expect(killed.count('stored_result')).toBe(1)
    killed.clock.skip(1)
    await killed.prune()
    expect([killed.count('stored_result'), killed.count('result_chunk')]).toEqual([0, 0])
  })
})

function checkpointedBytes(file: string): number {
  const database = openDatabase(file)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  return statSync(file).size
}

describe('a store that fails', () => {
  const big = textResult('a'.repeat(4000))

  test('loses nothing: the caller is told to send the whole result, with one warning until it works again', async () => {
    const clock = new FakeClock({ sleepMs: (ms) => ms })
    using world = createWorld({ clock })
    const { callId } = await world.receipt(big)
    const holder = openDatabase(world.path)
    holder.exec('begin immediate')
    expect(await world.store(big)).toBeUndefined()
    expect(waited(clock)).toBeGreaterThan(500)
    expect(waited(clock)).toBeLessThan(1000)
    expect(await world.store(big)).toBeUndefined()
    expect(world.warnings).toHaveLength(1)
    expect(world.warnings[0]).toContain('held by another process')
    expect((await world.page({ callId })).status).toBe('ok')
    holder.exec('rollback')
    await world.receipt(big)
    holder.exec('begin immediate')
    expect(await world.store(big)).toBeUndefined()
    holder.close()
    expect(world.warnings).toHaveLength(2)
  })

  test.each([
    ['is corrupt', (file: string) => writeFileSync(file, 'no database at all '.repeat(500)), 'damaged'],
    ['is a folder', (file: string) => mkdirSync(file), 'something else'],
    ['is the database of something else', (file: string) => makeForeign(file), 'something else'],
    [
      'lies where a folder cannot be made',
      (file: string) => {
        rmSync(path.dirname(file), { recursive: true })
        writeFileSync(path.dirname(file), '')
      },
      'cannot be opened',
    ],
  ])('a file that %s is left as it is', async (_name, prepare, words) => {
    using folder = tempFolder()
    const file = folder.file('sub/results.sqlite3')
    mkdirSync(folder.file('sub'))
    prepare(file)
    const before = existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined
    using world = createWorld({ folder, path: file })
    expect(await world.store(big)).toBeUndefined()
    expect(world.warnings).toEqual([expect.stringContaining(words)])
    expect(world.warnings[0]).not.toContain(folder.path)
    const answer = await world.get({ callId: '0'.repeat(32) })
    expect(JSON.stringify(answer)).not.toContain(folder.path)
    if (before !== undefined) expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('is no store at all without a place for it', async () => {
    using world = createWorld({ path: undefined })
    expect(await world.store(big)).toBeUndefined()
    expect(world.warnings).toHaveLength(1)
  })

  test('a file removed under us is made anew, and what was in it is unavailable', async () => {
    using world = createWorld()
    const { callId } = await world.receipt(big)
    for (const side of ['', '-wal', '-shm']) rmSync(world.path + side, { force: true })
    expect((await world.page({ callId })).status).toBe('unavailable')
    const second = await world.receipt(big)
    expect((await world.page({ callId: second.callId })).status).toBe('ok')
    expect(world.count('stored_result')).toBe(1)
  })

  test('a full store drops no result early: the new one goes out whole, with a word on making room', async () => {
    using world = createWorld({ limitBytes: 4 * mebibyte, budgetBytes: 4096 })
    const { callId } = await world.receipt(textResult('a'.repeat(3 * mebibyte)))
    expect(await world.store(textResult('b'.repeat(3 * mebibyte)))).toBeUndefined()
    expect(world.warnings).toEqual([expect.stringContaining('HUBU_UNIFIED_RESULTS_LIMIT')])
    expect((await world.readAll(callId)).bytes).toHaveLength(3 * mebibyte + 39)
    expect(checkpointedBytes(world.path)).toBeLessThanOrEqual(4 * mebibyte)
    // What was written of the new one is gone at once, not after ten minutes.
    await expect.poll(() => world.count('stored_result')).toBe(1)
    world.clock.skip(dayMs)
    await world.receipt(textResult('c'.repeat(3 * mebibyte)))
  })

  test('a full store first drops all that has expired', async () => {
    using world = createWorld({ limitBytes: 20 * mebibyte, budgetBytes: 4096 })
    await world.receipt(textResult('a'.repeat(14 * mebibyte)))
    world.clock.skip(dayMs)
    await world.receipt(textResult('b'.repeat(14 * mebibyte)))
    expect(world.warnings).toEqual([])
  })

  test('expired results do not make the wait for a held file longer', async () => {
    const clock = new FakeClock({ sleepMs: (ms) => ms })
    using world = createWorld({ clock })
    await world.receipt(big)
    world.clock.skip(dayMs)
    const holder = openDatabase(world.path)
    holder.exec('begin immediate')
    expect(await world.store(big)).toBeUndefined()
    holder.close()
    expect(waited(clock)).toBeLessThan(1000)
  })

  test('a disk that takes too long is given up', async () => {
    using world = createWorld({ clock: { ...realClock, monotonicMs: slowClock(400) }, budgetBytes: 4096 })
    expect(await world.store(textResult('a'.repeat(8 * mebibyte)))).toBeUndefined()
    expect(world.warnings).toEqual([expect.stringContaining('too long')])
  })

  test('nothing works any more once the room is closed', async () => {
    using world = createWorld()
    const { callId } = await world.receipt(big)
    world.results.close()
    expect(await world.store(big)).toBeUndefined()
    expect((await world.get({ callId })).isError).toBe(true)
  })
})

/** How long it has waited altogether. */
const waited = ({ slept }: FakeClock) => slept.reduce((sum, ms) => sum + ms, 0)

/** A clock on which every look takes so many milliseconds. */
function slowClock(stepMs: number): () => number {
  let nowMs = 0
  return () => (nowMs += stepMs)
}

function makeForeign(file: string): void {
  const database = openDatabase(file)
  database.exec('create table theirs (x)')
  database.pragma('application_id = 7')
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}
