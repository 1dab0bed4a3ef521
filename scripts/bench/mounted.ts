// Calls to a mounted server, beside the same calls made to it directly.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { atLeast, atMost, median, timed, type BenchRow } from './row.ts'
import { startPeer, startRouter, type RouterProcess } from './router-process.ts'

const calls = 2000
const pipelined = 1000
const bursts = 9

/** A server with one tool, as small as one can be: what it costs is not ours. */
const serverSource = `
const tools = [{ name: 'echo', inputSchema: { type: 'object' } }]
const answers = {
  initialize: (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }),
}
let rest = ''
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const { id, method, params } of lines.map((line) => JSON.parse(line)))
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }) + '\\n')
})`

/** One small call at a time, and a thousand at once. */
export async function benchMounted(bin: string): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-bench-'))
  const args = ['-e', serverSource]
  const config = path.join(folder, 'config.yaml')
  writeFileSync(config, JSON.stringify({ servers: { echo: { command: process.execPath, args, enabled: true } } }))
  const direct = await startPeer(process.execPath, args, {})
  const env = {
    HUBU_UNIFIED_RESULTS_PATH: path.join(folder, 'results.sqlite3'),
    HUBU_UNIFIED_ACTIVITY_PATH: path.join(folder, 'activity.sqlite3'),
  }
  const router = await startRouter(bin, env, ['--config', config])
  try {
    const there = () => call(direct, 'echo')
    const through = () => call(router, 'echo__echo')
    const alone: { there: number[]; through: number[] } = { there: [], through: [] }
    for (let n = 0; n < calls; n++) {
      alone.there.push(await timed(there))
      alone.through.push(await timed(through))
    }
    const burstMs: number[] = []
    const burst = () => Promise.all(Array.from({ length: pipelined }, through))
    for (let n = 0; n < bursts; n++) burstMs.push(await timed(burst))
    const [value, floor] = [median(alone.through), median(alone.there)]
    const rate = (pipelined * 1000) / median(burstMs)
    return [
      atMost(
        1,
        { name: 'one mounted call, over a direct one', value: value - floor, floor: 1, unit: 'ms' },
        'a millisecond',
      ),
      atLeast(
        3,
        { name: `mounted calls, ${pipelined} at once`, value: rate, floor: 1500, unit: 'per second' },
        '1500 a second',
      ),
    ]
  } finally {
    await Promise.all([direct.end(), router.end()])
    rmSync(folder, { recursive: true, force: true })
  }
}

const call = (peer: RouterProcess, name: string) => peer.request('tools/call', { name, arguments: { text: 'hello' } })
