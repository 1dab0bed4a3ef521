import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { callsOf, exchangesOf, readLines } from '../recorder/recording.ts'
import { checked, type ClientResult } from '../result.ts'
import { startModel } from '../scripted-model/serve.ts'
import type { ReadyAgent } from './agent.ts'
import { makeHome, type Home } from './home.ts'
import { applyPolicy, sumOf } from './money.ts'
import { oneAuthorization } from './two-pictures.ts'
import { init, insertRecorder, recordFile, type Program } from './wire.ts'

/** How long the client waits, and how long Hubu takes for a spend. The wait must do for the start of a router. */
const waitMs = 5000
const hubuMs = 8000

/**
 * Qwen Code sends a call that it waited for in vain again, from new processes and without any id. With a wait that is shorter than
 * Hubu's answer one purchase must stay one.
 */
export async function driveImpatient({ agent, command, args }: ReadyAgent, program: Program): Promise<ClientResult> {
  using home = makeHome()
  const { account_id: accountId } = await applyPolicy(home, program)
  await using hubu = await startSlowHubu(home, program)
  await using model = await startModel(oneAuthorization(accountId), async () => {})
  for (const [file, content] of Object.entries(agent.files(model.url))) home.write(file, content)
  home.write('hubu.token', token)
  const { file } = await init(home, program, agent, ['--hubu', hubu.url, '--hubu-token-file', home.file('hubu.token')])
  insertRecorder(home, program, file)
  home.write(
    file,
    home.read(file).replace(/"hubu": *\{/, (entry) => `${entry} "timeout": ${waitMs},`),
  )
  const { stderr } = await home.run(command, [...args, ...agent.run], { env: agent.env(model.url), mostMs: 180_000 })
  // What was under way is decided by then.
  await new Promise((resolve) => setTimeout(resolve, hubuMs + 2000))
  const { spentCents, heldCents } = sumOf(await hubu.read('/budgets'))
  const sent = callsOf(exchangesOf(readLines(home.read(recordFile))), 'hubu_authorize_spend')
  const told = `${sent.length} deliveries from ${new Set(sent.map(({ pid }) => pid)).size} processes`
  const wrong =
    spentCents + heldCents !== 1
      ? `${heldCents} cents held and ${spentCents} spent instead of 1`
      : sent.length < 2
        ? 'it did not send the call again'
        : undefined
  return checked(
    agent.name,
    'is charged once when it waits less than Hubu takes',
    wrong === undefined ? undefined : `${told}; ${wrong}; ${stderr.slice(-300)}`,
    told,
  )
}

const token = 'hubu-of-the-impatient'

interface SlowHubu extends AsyncDisposable {
  readonly url: string
  read(path: string): Promise<unknown>
}

/** The Hubu of the home's sandbox in a process of its own, as a real one is, slow for spends. */
async function startSlowHubu(home: Home, { bin }: Program): Promise<SlowHubu> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [bin, 'sandbox', 'hubu', `127.0.0.1:${port}`], {
    cwd: home.path,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home.path,
      HUBU_DB_PATH: home.file('.local/share/hubu-unified-mcp/sandbox/hubu.sqlite3'),
      HUBU_AUTH_TOKEN: token,
      HUBU_SANDBOX_ADMIN_TOKEN: 'admin',
    },
  })
  const faults = [{ method: 'POST', path: '/spend/authorize', kind: 'delay', delay_ms: hubuMs }]
  const headers = { authorization: 'Bearer admin' }
  for (let tries = 0; ; tries++) {
    const set = await fetch(`${url}/sandbox/faults`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ faults }),
    }).catch(() => undefined)
    if (set?.ok) break
    if (tries > 100) throw new Error(`the slow Hubu does not start${set === undefined ? '' : `: ${set.status}`}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    read: async (path) =>
      (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json() as Promise<unknown>,
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
