import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inert, syncBench } from './sync-bench.ts'

const first = '{"first":1}'

/** Writes two plans after each other: without, then with routing. */
async function twoPlans(bench: ReturnType<typeof syncBench>): Promise<string> {
  bench.put('a.json', first)
  bench.configure({ atlas: inert() }, { a: {} })
  const { plan_id: planId } = (await bench.sync({ write: true })).results[0]!
  bench.configure({ atlas: inert() }, { a: { pin: [] } })
  await bench.sync({ write: true })
  return planId
}

describe('a backup', () => {
  it('of the same second has a number', async () => {
    using bench = syncBench()
    await twoPlans(bench)
    expect(bench.backups('a.json')).toEqual(['a.json.bak-20260102-030405', 'a.json.bak-20260102-030405-1'])
  })
})

describe('sync --rollback', () => {
  it('takes the backup of its own plan, not the newest', async () => {
    using bench = syncBench()
    const planId = await twoPlans(bench)
    const { code, out } = await bench.sync({ rollback: planId, json: false })
    expect([code, bench.read('a.json')]).toEqual([0, first])
    expect(out).toContain('has the bytes of')
    expect(bench.state.read().owned).toEqual({ a: [] })
    expect(bench.backups('a.json')).toHaveLength(3)
  })

  it('of a forgotten plan takes the newest backup and says so', async () => {
    using bench = syncBench()
    await twoPlans(bench)
    rmSync(bench.file('data/sync.json'))
    const { out } = await bench.sync({ rollback: 'plan_1_a', json: false })
    expect(out).toContain('the newest backup of the file was taken')
    expect(bench.json('a.json')['mcpServers']).toHaveProperty('hubu')
    expect(bench.read('a.json')).not.toContain('--agent')
  })

  it('of a forgotten plan finds the backup beside the file that a link leads to', async () => {
    using bench = syncBench()
    bench.put('far/real.json', first)
    symlinkSync(bench.file('far/real.json'), bench.file('a.json'))
    bench.configure({ atlas: inert() }, { a: {} })
    await bench.sync({ write: true })
    rmSync(bench.file('data/sync.json'))
    expect(await bench.sync({ rollback: 'plan_1_a', json: false })).toMatchObject({ code: 0, err: '' })
    expect(bench.read('far/real.json')).toBe(first)
  })

  it('of a forgotten plan whose folder is gone is refused', async () => {
    using bench = syncBench()
    bench.configure({ atlas: inert() }, { a: { path: bench.file('gone/a.json') } })
    const { code, err } = await bench.sync({ rollback: 'plan_1_a', json: false })
    expect([code, err]).toEqual([1, expect.stringContaining('has no backup to go back to')])
  })

  it('of a plan that made the file removes it, with the folders it made', async () => {
    using bench = syncBench()
    bench.configure({}, { a: { path: bench.file('deep/er/a.json') } })
    const { plan_id: planId } = (await bench.sync({ write: true })).results[0]!
    expect((await bench.sync({ rollback: planId })).code).toBe(0)
    expect(existsSync(bench.file('deep'))).toBe(false)
  })

  it.each([
    ['nonsense', 2, 'a plan id looks like'],
    ['plan_1_nobody', 1, 'there is no plan plan_1_nobody'],
  ])('refuses %s', async (rollback, wanted, message) => {
    using bench = syncBench()
    const { code, err } = await bench.sync({ rollback })
    expect([code, err.includes(message)]).toEqual([wanted, true])
  })
})

describe('sync --resume', () => {
  it("writes that plan's agent, and no other", async () => {
    using bench = syncBench()
    bench.configure({}, { a_b: {}, other: {} })
    const { results } = await bench.sync()
    const resumed = await bench.sync({ resume: results[0]!.plan_id })
    expect(resumed.results.map((result) => [result.agent, result.applied])).toEqual([['a_b', true]])
    expect(existsSync(bench.file('other.json'))).toBe(false)
  })
})

describe('the record of what is ours', () => {
  it('cannot be written: the file gets its old content back, and the error is told', async () => {
    using bench = syncBench()
    bench.put('a.json', '{"x":1}')
    bench.configure({}, { a: {} })
    const onStep = (step: string, file: string): void => {
      if (step !== 'replaced' || file !== bench.file('a.json')) return
      rmSync(bench.file('data/sync.json'))
      mkdirSync(bench.file('data/sync.json'))
    }
    const { code, results } = await bench.sync({ write: true }, onStep)
    expect(code).toBe(1)
    expect(results[0]!.error).toContain('the plan could not be recorded')
    expect(bench.read('a.json')).toBe('{"x":1}')
  })

  it('cannot be written at all: nothing is changed', async () => {
    using bench = syncBench()
    bench.put('a.json', '{"x":1}')
    writeFileSync(bench.file('data'), 'in the way')
    bench.configure({}, { a: {} })
    const { code } = await bench.sync({ write: true })
    expect([code, bench.read('a.json')]).toEqual([1, '{"x":1}'])
  })

  it('survives a crash right after the replacement', async () => {
    using bench = syncBench()
    bench.put('a.json', '{}')
    bench.configure({}, { a: {} })
    const crash = (step: string, file: string): void => {
      if (step === 'replaced' && file === bench.file('a.json')) throw new Error('power failure')
    }
    await expect(bench.sync({ write: true }, crash)).rejects.toThrow('power failure')
    expect(bench.state.read().owned).toEqual({ a: ['hubu'] })
    expect((await bench.sync({ write: true })).results[0]!.changes).toEqual([])
  })

  it('loses no byte of a program that writes at the same time', async () => {
    using bench = syncBench()
    bench.put('a.json', '{"x":1}')
    bench.configure({}, { a: {} })
    let isDone = false
    const intrude = (step: string, file: string): void => {
      if (step !== 'compared' || isDone || file !== bench.file('a.json')) return
      isDone = true
      writeFileSync(file, '{"x":1,"theirs":2}')
    }
    expect((await bench.sync({ write: true }, intrude)).results[0]!.applied).toBe(true)
    expect(bench.json('a.json')).toMatchObject({ x: 1, theirs: 2, mcpServers: { hubu: {} } })
  })
})

describe('offload', () => {
  it('removes owned copies, and keeps the gateway entry and what was added by hand', async () => {
    using bench = syncBench()
    const hand = { command: 'by-hand' }
    bench.configure({ atlas: inert(), ledger: inert(), scribe: inert() }, { a: {}, d: { mode: 'direct' }, e: {} })
    await bench.sync({ write: true, agents: ['a'] })
    const file = bench.json('a.json')
    Object.assign(file['mcpServers']!, { atlas: { command: 'true' }, ledger: { command: 'true' }, scribe: hand })
    bench.put('a.json', file)
    bench.state.write({ ...bench.state.read(), owned: { a: ['hubu', 'atlas', 'ledger'] } })
    const preview = await bench.offload()
    expect(
      preview.results.map((result) => [result.agent, result.changes.map((change) => change.server), result.skipped]),
    ).toEqual([
      ['a', ['atlas', 'ledger'], undefined],
      ['d', [], 'it is in direct mode'],
      ['e', [], 'its file has no entry hubu; run sync first'],
    ])
    expect(bench.json('a.json')['mcpServers']).toHaveProperty('atlas')
    await bench.offload({ write: true })
    expect(Object.keys(bench.json('a.json')['mcpServers']!)).toEqual(['hubu', 'scribe'])
    expect(bench.state.read().owned).toEqual({ a: ['hubu'] })
  })
})

describe('agents', () => {
  it('lists every kind with its state', async () => {
    using bench = syncBench()
    bench.configure({}, { mine: { type: 'claudecode', mode: 'direct', disabled: true } })
    bench.put('home/.codex/config.toml', '')
    const { out } = await bench.agents({ json: true })
    const { agents } = JSON.parse(out) as { agents: { type: string; state: string }[] }
    expect(agents.find((row) => row.type === 'claude')).toEqual({
      type: 'claude',
      path: bench.file('mine.json'),
      state: 'configured',
      name: 'mine',
      mode: 'direct',
      enabled: false,
    })
    expect(agents.find((row) => row.type === 'codex')!.state).toBe('available')
    expect(agents.find((row) => row.type === 'forge')!.state).toBe('not_installed')
    expect((await bench.agents()).out).toMatch(/^claude +configured +mine \(direct, disabled\) {2}\//m)
  })
})
