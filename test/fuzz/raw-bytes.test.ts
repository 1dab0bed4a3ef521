import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { healthyGongbu, healthyHubu } from '../support/healthy-backends.ts'
import { residentMiB } from '../support/resident-memory.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { hostileLines, type Style } from './hostile-lines.ts'
import { seed } from './seed.ts'

const batches = 20
const batchSize = 1000
/** After so many batches everything is loaded and compiled, and the heap has its working size. */
const warmUpBatches = 6
/** What is resident outside the heap is V8's own choice, and Node 24 chooses more than Node 20. */
const allowedGrowthMiB = Number(process.versions.node.split('.')[0]) < 24 ? 48 : 96
/** The process has no more heap than this: what it keeps too long ends it. */
const heapMiB = 48

test(
  '20,000 hostile lines leave the built process alive after each thousand, with at most one JSON object a line and memory bounded',
  { timeout: 120_000 },
  async () => {
    using built = await buildBin()
    using folder = tempFolder()
    await using hubu = await healthyHubu()
    await using gongbu = await healthyGongbu()
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMiB}`, built.bin], {
      env: {
        PATH: process.env.PATH ?? '',
        HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href,
        HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-token',
        HUBU_UNIFIED_GONGBU_ENDPOINT: gongbu.url.href,
        HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'gongbu-token',
        HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('registry.sqlite3'),
        HUBU_MCP_TRUST_CLIENT_APPROVAL: '1',
        XDG_CONFIG_HOME: folder.path,
        XDG_DATA_HOME: folder.path,
      },
    })
    const exit = once(child, 'exit')
    const stderr = text(child.stderr)
    const output = readReplies(child.stdout)
    const sent = new Map<Style, number>()
    let warmMiB = 0
    let peakMiB = 0
    let lines = 0
    for (const { style, line } of hostileLines(batches * batchSize, seed)) {
      sent.set(style, (sent.get(style) ?? 0) + 1)
      if (!child.stdin.write(Buffer.concat([line, Buffer.from('\n')]))) await once(child.stdin, 'drain')
      if (++lines % batchSize > 0) continue
      const batch = lines / batchSize
      const ping = `alive after ${batch}`
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ping, method: 'ping' })}\n`)
      await output.reply(ping)
      const rssMiB = residentMiB(child.pid)
      if (batch === warmUpBatches) warmMiB = rssMiB
      peakMiB = Math.max(peakMiB, rssMiB)
    }
    child.stdin.end()
    expect(await exit).toEqual([0, null])
    expect(await stderr).toBe('')
    expect(output.notObjects).toEqual([])
    // Every line and every ping at most once.
    expect(output.replies).toBeLessThanOrEqual(lines + batches)
    expect(output.repeatedCalls()).toEqual([])
    // The fuzz reaches the rooms behind the parser: most styles get replies, and calls arrive at the backends.
    expect(output.replies).toBeGreaterThan(lines / 2)
    expect(hubu.exchanges.length).toBeGreaterThan(lines / 100)
    expect(sent.size).toBe(11)
    expect(peakMiB - warmMiB).toBeLessThan(allowedGrowthMiB)
    if (process.env.FUZZ_FIGURES) {
      process.stdout.write(
        `${lines} lines, ${output.replies} replies, ${hubu.exchanges.length + gongbu.exchanges.length} backend requests, ` +
          `${warmMiB.toFixed(0)} MiB after warm-up, ${peakMiB.toFixed(0)} MiB at most\n`,
      )
    }
  },
)

/** Reads lines of stdout; what is not a JSON object is kept as it is. */
function readReplies(stdout: NodeJS.ReadableStream) {
  const calls = new Map<string, number>()
  const waiting = new Map<string, () => void>()
  const notObjects: string[] = []
  let replies = 0
  let rest = Buffer.alloc(0)
  const take = (line: string) => {
    const message = parse(line)
    if (message === undefined) return notObjects.push(line.slice(0, 200))
    if (!('id' in message)) return
    replies++
    if (typeof message.id !== 'string') return
    waiting.get(message.id)?.()
    if (message.id.startsWith('call-')) calls.set(message.id, (calls.get(message.id) ?? 0) + 1)
  }
  stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      take(rest.subarray(0, end).toString('utf8'))
      rest = rest.subarray(end + 1)
    }
  })
  return {
    notObjects,
    get replies() {
      return replies
    },
    /** Ids of calls that were answered more than once; each was sent once. */
    repeatedCalls: () => [...calls].filter(([, count]) => count > 1).map(([id]) => id),
    reply: (id: string) => new Promise<void>((resolve) => waiting.set(id, resolve)),
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
