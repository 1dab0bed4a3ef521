import { describe, expect, test } from 'vitest'
import { createDetachedStore, type StoredDetached } from '../../src/results/detached-store.ts'
import { createResultsFile } from '../../src/results/results-file.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createWorld } from './world.ts'

const call = (nowMs: number, callId = 'c1') => ({
  callId,
  server: 'atlas',
  tool: 'atlas_route',
  namespaced: 'atlas__route',
  startedAtMs: nowMs,
  latestEndMs: nowMs + 60_000,
  principal: 'local',
})

/** Two processes with one file: this one, and one that dies when it is told to. */
function twoProcesses() {
  const life = { isThere: true }
  const dying = createWorld({ owner: { name: 'dying', host: 'here', processId: 7 } })
  const heir = createWorld({ folder: dying.folder, clock: dying.options.clock, isAlive: () => life.isThere })
  return { dying, heir, life, [Symbol.dispose]: () => (heir[Symbol.dispose](), dying[Symbol.dispose]()) }
}

describe('calls in the background on disk', () => {
  test('are pending for others while their process lives, and of unknown outcome when it is gone', async () => {
    using world = twoProcesses()
    const { dying, heir, life } = world
    const pending: StoredDetached = { ...call(dying.clock.nowMs()), kind: 'pending' }
    await dying.results.detached.save(pending)
    expect(await heir.results.detached.find('c1', 'local')).toEqual(pending)
    life.isThere = false
    const error = expect.stringMatching(/atlas__route: outcome unknown.*not retried/) as string
    expect(await heir.results.detached.find('c1', 'local')).toMatchObject({
      kind: 'ended',
      end: { kind: 'outcome_unknown', error },
    })
    expect(await dying.results.detached.find('c1', 'local')).toEqual(pending)
  })

  test('whose process number was given to somebody else have ended when their time is over', async () => {
    using world = twoProcesses()
    const { dying, heir } = world
    await dying.results.detached.save({ ...call(dying.clock.nowMs()), kind: 'pending' })
    dying.clock.skip(60_001)
    expect(await heir.results.detached.find('c1', 'local')).toMatchObject({ kind: 'ended' })
  })

  test('keep their result over a restart, byte by byte', async () => {
    using world = twoProcesses()
    const json = '{"content":[{"type":"text","text":"界"}], "n":12345678901234567890}'
    const ended: StoredDetached = {
      ...call(world.dying.clock.nowMs()),
      kind: 'ended',
      endedAtMs: world.dying.clock.nowMs(),
      end: { kind: 'result', json },
    }
    await world.dying.results.detached.save(ended)
    world.life.isThere = false
    expect(await world.heir.results.detached.find('c1', 'local')).toEqual(ended)
    expect(await world.heir.results.detached.find('c2', 'local')).toBeUndefined()
  })

  test('say of a result that is too large for the file that it finished', async () => {
    using world = createWorld()
    const end = { kind: 'result' as const, json: 'x'.repeat(1024 * 1024 + 1) }
    await world.results.detached.save({
      ...call(world.clock.nowMs()),
      kind: 'ended',
      endedAtMs: world.clock.nowMs(),
      end,
    })
    const error = expect.stringContaining('it finished') as string
    expect(await world.results.detached.find('c1', 'local')).toMatchObject({ end: { kind: 'failed', error } })
  })

  test('are kept for a day, and the newest 128 of them', async () => {
    using world = createWorld()
    const end = { kind: 'failed' as const, error: 'no' }
    for (let n = 0; n < 130; n++) {
      const at = world.clock.nowMs() + n
      await world.results.detached.save({ ...call(at, `c${n}`), kind: 'ended', endedAtMs: at, end })
    }
    const isKept = async (id: string) => (await world.results.detached.find(id, 'local')) !== undefined
    expect([await isKept('c1'), await isKept('c2'), await isKept('c129')]).toEqual([false, true, true])
    world.clock.skip(24 * 60 * 60 * 1000 + 130)
    expect(await isKept('c129')).toBe(false)
  })

  test('are listed with how they stand and the size of their result, those of other processes too', async () => {
    using world = twoProcesses()
    const { dying, heir, life } = world
    const at = dying.clock.nowMs()
    const list = createDetachedStore({ ...heir.options, file: createResultsFile(heir.options) })
    expect(await list.list()).toEqual([])
    const ends: [string, (StoredDetached & { kind: 'ended' })['end']][] = [
      ['fine', { kind: 'result', json: '{"content":[{"type":"text","text":"界"}]}' }],
      ['refused', { kind: 'result', json: '{"content":[],"isError":true}' }],
      ['large', { kind: 'result', json: 'x'.repeat(1024 * 1024 + 1) }],
      ['failed', { kind: 'failed', error: 'no' }],
      ['cancelled', { kind: 'cancelled', error: 'no' }],
      ['unknown', { kind: 'outcome_unknown', error: 'no' }],
    ]
    const { detached } = dying.results
    for (const [n, [id, end]] of ends.entries())
      await detached.save({ ...call(at - n, id), kind: 'ended', endedAtMs: at, end })
    await detached.save({ ...call(at + 1, 'lost'), kind: 'pending' })
    const states = async () =>
      (await list.list()).map(({ callId, state, isError, bytes }) => [callId, state, isError, bytes])
    const ended = [
      ['fine', 'done', false, 42],
      ['refused', 'done', true, 29],
      ['large', 'done', false, null],
      ['failed', 'failed', false, null],
      ['cancelled', 'cancelled', false, null],
      ['unknown', 'outcome_unknown', false, null],
    ]
    expect(await states()).toEqual([['lost', 'running', false, null], ...ended])
    life.isThere = false
    expect(await states()).toEqual([['lost', 'outcome_unknown', false, null], ...ended])
    dying.clock.skip(24 * 60 * 60 * 1000 + 1)
    expect((await states()).map(([id]) => id)).toEqual(['lost'])
  })

  test('of before their ends were told apart have a result or have failed', async () => {
    using world = createWorld()
    const end = { kind: 'cancelled' as const, error: 'no' }
    await world.results.detached.save({
      ...call(world.clock.nowMs()),
      kind: 'ended',
      endedAtMs: world.clock.nowMs(),
      end,
    })
    const database = openDatabase(world.path)
    database.exec('update detached_call set end_kind = null')
    database.close()
    expect(await world.results.detached.find('c1', 'local')).toMatchObject({ end: { kind: 'failed', error: 'no' } })
    const list = createDetachedStore({ ...world.options, file: createResultsFile(world.options) })
    expect(await list.list()).toMatchObject([{ state: 'failed' }])
  })

  test('of one principal are unknown to every other one, and no principal pushes out those of another', async () => {
    using world = createWorld()
    const { detached } = world.results
    const ended = (callId: string, principal: string): StoredDetached => ({
      ...call(world.clock.nowMs()),
      callId,
      principal,
      kind: 'ended',
      endedAtMs: world.clock.nowMs(),
      end: { kind: 'result', json: '{}' },
    })
    await detached.save(ended('of alice', 'token:alice'))
    world.clock.skip(1)
    for (let n = 0; n < 130; n++) await detached.save(ended(`of bob ${n}`, 'token:bob'))
    expect(await detached.find('of alice', 'token:bob')).toBeUndefined()
    expect(await detached.find('of alice', 'token:alice')).toMatchObject({ kind: 'ended' })
  })
})
