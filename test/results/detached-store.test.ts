import { describe, expect, test } from 'vitest'
import type { StoredDetached } from '../../src/results/detached-store.ts'
import { createWorld } from './world.ts'

const call = (nowMs: number, callId = 'c1') => ({
  callId,
  server: 'atlas',
  tool: 'atlas_route',
  namespaced: 'atlas__route',
  startedAtMs: nowMs,
  latestEndMs: nowMs + 60_000,
})

/** Two processes with one file: this one, and one that dies when it is told to. */
function twoProcesses() {
  const life = { isThere: true }
  const dying = createWorld({ owner: { name: 'dying', host: 'here', processId: 7 } })
  const heir = createWorld({ folder: dying.folder, nowMs: () => dying.clock.nowMs, isAlive: () => life.isThere })
  return { dying, heir, life, [Symbol.dispose]: () => (heir[Symbol.dispose](), dying[Symbol.dispose]()) }
}

describe('calls in the background on disk', () => {
  test('are pending for others while their process lives, and of unknown outcome when it is gone', async () => {
    using world = twoProcesses()
    const { dying, heir, life } = world
    const pending: StoredDetached = { ...call(dying.clock.nowMs), kind: 'pending' }
    await dying.results.detached.save(pending)
    expect(await heir.results.detached.find('c1')).toEqual(pending)
    life.isThere = false
    const error = expect.stringMatching(/atlas__route: outcome unknown.*not retried/) as string
    expect(await heir.results.detached.find('c1')).toMatchObject({ kind: 'ended', end: { kind: 'failed', error } })
    expect(await dying.results.detached.find('c1')).toEqual(pending)
  })

  test('whose process number was given to somebody else have ended when their time is over', async () => {
    using world = twoProcesses()
    const { dying, heir } = world
    await dying.results.detached.save({ ...call(dying.clock.nowMs), kind: 'pending' })
    dying.clock.nowMs += 60_001
    expect(await heir.results.detached.find('c1')).toMatchObject({ kind: 'ended' })
  })

  test('keep their result over a restart, byte by byte', async () => {
    using world = twoProcesses()
    const json = '{"content":[{"type":"text","text":"界"}], "n":12345678901234567890}'
    const ended: StoredDetached = {
      ...call(world.dying.clock.nowMs),
      kind: 'ended',
      endedAtMs: world.dying.clock.nowMs,
      end: { kind: 'result', json },
    }
    await world.dying.results.detached.save(ended)
    world.life.isThere = false
    expect(await world.heir.results.detached.find('c1')).toEqual(ended)
    expect(await world.heir.results.detached.find('c2')).toBeUndefined()
  })

  test('say of a result that is too large for the file that it finished', async () => {
    using world = createWorld()
    const end = { kind: 'result' as const, json: 'x'.repeat(1024 * 1024 + 1) }
    await world.results.detached.save({ ...call(world.clock.nowMs), kind: 'ended', endedAtMs: world.clock.nowMs, end })
    const error = expect.stringContaining('it finished') as string
    expect(await world.results.detached.find('c1')).toMatchObject({ end: { kind: 'failed', error } })
  })

  test('are kept for a day, and the newest 128 of them', async () => {
    using world = createWorld()
    const end = { kind: 'failed' as const, error: 'no' }
    for (let n = 0; n < 130; n++) {
      const at = world.clock.nowMs + n
      await world.results.detached.save({ ...call(at, `c${n}`), kind: 'ended', endedAtMs: at, end })
    }
    const isKept = async (id: string) => (await world.results.detached.find(id)) !== undefined
    expect([await isKept('c1'), await isKept('c2'), await isKept('c129')]).toEqual([false, true, true])
    world.clock.nowMs += 24 * 60 * 60 * 1000 + 130
    expect(await isKept('c129')).toBe(false)
  })
})
