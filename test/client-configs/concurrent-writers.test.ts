import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { type WriteStep } from '../../src/documents/replace-file.ts'
import { workbench } from './workbench.ts'

const config = '.codex/config.toml'
const steps: WriteStep[] = ['backed-up', 'temporary-written', 'compared', 'replaced']

/** How other programs write: over the same bytes, or by a new file of that name. */
const writers = {
  'in place': (file: string, text: string): void => writeFileSync(file, text),
  'by rename': (file: string, text: string): void => {
    writeFileSync(`${file}.other`, text)
    renameSync(`${file}.other`, file)
  },
}

/** Another program that adds a line at the first `times` moments of a kind. */
function intruder(step: WriteStep, times: number, write: (file: string, text: string) => void) {
  let count = 0
  return (at: WriteStep, file: string): void => {
    if (at !== step || !file.endsWith('config.toml') || count >= times) return
    count++
    write(file, `${readFileSync(file, 'utf8')}# other ${count}\n`)
  }
}

describe('another program writes the same file', () => {
  const moments = (['in place', 'by rename'] as const).flatMap((way) =>
    steps
      .filter((step) => step !== 'replaced')
      .map((step): [string, WriteStep, keyof typeof writers] => [`${way}, ${step}`, step, way]),
  )

  it.each(moments)('once (%s): the plan is made again and both changes are there', async (_, step, way) => {
    using bench = workbench()
    bench.put(config, '# mine\n')
    const { code } = await bench.init({ client: 'codex', write: true }, { onStep: intruder(step, 1, writers[way]) })
    expect(code).toBe(0)
    expect(bench.read(config)).toMatch(/^# mine\n# other 1\n\n\[mcp_servers\.hubu\]\n/)
    expect(bench.names('.codex').filter((name) => name.includes('.tmp'))).toEqual([])
  })

  it('into the bytes that are being replaced: they come back, and the entry with them', async () => {
    using bench = workbench()
    const file = bench.put(config, '# mine\n')
    const { openSync, writeSync, closeSync } = await import('node:fs')
    const handle = openSync(file, 'a')
    let isDone = false
    const onStep = (step: WriteStep): void => {
      if (step !== 'replaced' || isDone) return
      isDone = true
      writeSync(handle, '# late\n')
    }
    const { code } = await bench.init({ client: 'codex', write: true }, { onStep })
    closeSync(handle)
    expect(code).toBe(0)
    expect(bench.read(config)).toMatch(/^# mine\n# late\n\n\[mcp_servers\.hubu\]\n/)
  })

  it.each(Object.keys(writers) as (keyof typeof writers)[])(
    'every time (%s): we give up after three, its last bytes stay',
    async (way) => {
      using bench = workbench()
      bench.put(config, '# mine\n')
      const onStep = intruder('temporary-written', 99, writers[way])
      const { code, err } = await bench.init({ client: 'codex', write: true }, { onStep })
      expect(code).toBe(1)
      expect(err).toContain('another program is writing')
      expect(bench.read(config)).toBe('# mine\n# other 1\n# other 2\n# other 3\n')
      expect(bench.names('.codex')).toEqual(['config.toml'])
    },
  )

  it('by making the file that was not there: it is planned from, not overwritten', async () => {
    using bench = workbench()
    let isDone = false
    const onStep = (step: WriteStep, file: string): void => {
      if (step !== 'compared' || isDone) return
      isDone = true
      writeFileSync(file, '# new\n')
    }
    const { code } = await bench.init({ client: 'codex', write: true }, { onStep })
    expect(code).toBe(0)
    expect(bench.read(config)).toMatch(/^# new\n\n\[mcp_servers\.hubu\]\n/)
  })

  it('at any moments: never a byte of it is lost', async () => {
    const moment = fc.constantFrom(...steps.slice(0, 3))
    const way = fc.constantFrom(...Object.values(writers))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(moment, way), { maxLength: 4 }), async (plan) => {
        using bench = workbench()
        bench.put(config, '# mine\n')
        const rest = [...plan]
        let written = 0
        const onStep = (step: WriteStep, file: string): void => {
          if (rest[0]?.[0] !== step || !file.endsWith('config.toml')) return
          const [, write] = rest.shift()!
          write(file, `${readFileSync(file, 'utf8')}# other ${++written}\n`)
        }
        const { code } = await bench.init({ client: 'codex', write: true }, { onStep })
        const text = bench.read(config)
        for (let index = 1; index <= written; index++) expect(text).toContain(`# other ${index}\n`)
        expect(text.startsWith('# mine\n')).toBe(true)
        expect('mcp_servers' in parse(text)).toBe(code === 0)
      }),
      { numRuns: 40, seed: 16 },
    )
  })
})

describe('a crash', () => {
  it.each(['backed-up', 'temporary-written', 'compared'] as WriteStep[])(
    'after the step "%s" leaves the old file, and the next run succeeds and cleans up',
    async (step) => {
      using bench = workbench()
      bench.put(config, '# mine\n')
      const crash = (at: WriteStep): void => {
        if (at === step) throw new Error('power failure')
      }
      await expect(bench.init({ client: 'codex', write: true }, { onStep: crash })).rejects.toThrow('power failure')
      expect(bench.read(config)).toBe('# mine\n')
      const { code } = await bench.init({ client: 'codex', write: true })
      expect(code).toBe(0)
      expect(bench.read(config)).toContain('[mcp_servers.hubu]')
      expect(bench.names('.codex').filter((name) => name.endsWith('.tmp'))).toEqual([])
      expect((await bench.init({ client: 'codex', undo: true, write: true })).code).toBe(0)
      expect(bench.read(config)).toBe('# mine\n')
    },
  )

  it('right after the replacement leaves an entry that is known as ours', async () => {
    using bench = workbench()
    bench.put(config, '# mine\n')
    const crash = (at: WriteStep): void => {
      if (at === 'replaced') throw new Error('power failure')
    }
    await expect(bench.init({ client: 'codex', write: true }, { onStep: crash })).rejects.toThrow('power failure')
    expect(bench.read(config)).toContain('[mcp_servers.hubu]')
    expect((await bench.init({ client: 'codex', write: true })).out).toContain('already set up')
    expect((await bench.init({ client: 'codex', undo: true, write: true })).out).toContain('former bytes')
    expect(bench.read(config)).toBe('# mine\n')
  })

  it('leaves the temporary file of a process that lives alone', async () => {
    using bench = workbench()
    bench.put(config, '# mine\n')
    const name = `.config.toml.hubu-unified-mcp-${process.ppid}-0123456789ab.tmp`
    bench.put(path.join('.codex', name), 'theirs')
    await bench.init({ client: 'codex', write: true })
    expect(readdirSync(path.join(bench.home, '.codex'))).toContain(name)
  })
})
