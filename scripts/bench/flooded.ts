// The money path beside a mounted server that floods, and beside one that is quiet, in turn.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { median, notWorse, timed, type BenchRow } from './row.ts'
import { routerEnvironment, startRouter } from './router-process.ts'
import { authorize } from './spend.ts'
import { startStubs } from './stub-process.ts'

const rounds = 15
const spends = 20

/** A server that writes log lines without end, or none. */
const source = `
const line = (message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n'
const noise = line({ method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(300) } }).repeat(50)
const more = () => { while (process.stdout.write(noise)); process.stdout.once('drain', more) }
require('node:readline').createInterface(process.stdin).on('line', (text) => {
  const { id, method, params } = JSON.parse(text)
  if (method === 'initialize') process.stdout.write(line({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } } }))
  if (method === 'tools/list') process.stdout.write(line({ id, result: { tools: [] } }))
  if (method === 'tools/list' && process.argv[1] === 'flood') more()
})`

/** One row: the median spend of each round beside the one of the quiet router in the same round. */
export async function benchFlooded(bin: string): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-bench-'))
  const stubs = await startStubs()
  const start = (how: string) => {
    const file = (name: string) => path.join(folder, `${how}-${name}`)
    const servers = { noise: { command: process.execPath, args: ['-e', source, how], enabled: true } }
    writeFileSync(file('config.yaml'), JSON.stringify({ servers }))
    const env = {
      ...routerEnvironment(stubs.hubuUrl, stubs.gongbuUrl, file('registry.sqlite3')),
      HUBU_UNIFIED_RESULTS_PATH: file('results.sqlite3'),
      HUBU_UNIFIED_ACTIVITY_PATH: file('activity.sqlite3'),
    }
    return startRouter(bin, env, ['--config', file('config.yaml')])
  }
  const [quiet, flooded] = [await start('quiet'), await start('flood')]
  // Before this nothing is passed on to the client.
  for (const router of [quiet, flooded]) router.notify('notifications/initialized')
  try {
    const [before, after]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round++) {
      for (const [router, times] of [[quiet, before] as const, [flooded, after] as const]) {
        const one: number[] = []
        for (let n = 0; n < spends; n++) one.push(await timed(() => authorize(router, `round-${round}-${n}`)))
        // The first round warms up.
        if (round >= 0) times.push(median(one))
      }
    }
    return [
      {
        ...notWorse(1.5, 'one spend beside a flooding server', before, after),
        target: 'at most 1.5 x beside a quiet one',
      },
    ]
  } finally {
    await Promise.all([quiet.end(), flooded.end(), stubs.end()])
    rmSync(folder, { recursive: true, force: true })
  }
}
