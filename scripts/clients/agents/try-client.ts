// A person's first minute: `try`, then the client's own list of servers, then `try --undo`.
import { checked, skipped, type ClientResult } from '../result.ts'
import type { Agent, ReadyAgent } from './agent.ts'
import { prepare } from './drive.ts'
import { makeHome } from './home.ts'
import { ours, type Program } from './wire.ts'

/** Nobody answers there; listing servers asks no model. */
const noModel = 'http://127.0.0.1:9'
/** From the command to a client that shows our server. */
const mostMs = 60_000

/** Tries the sandbox in each client as a person would; one that cannot be installed or started here is skipped with the reason. */
export async function tryClients(
  agents: readonly Agent[],
  { folder, node, program }: { folder: string; node: string; program: Program },
  tell: (result: ClientResult) => void,
): Promise<void> {
  for (const agent of agents) {
    const ready = await prepare(agent, folder, node)
    if ('reason' in ready) tell(skipped(`try ${agent.name}`, 'everything', ready.reason))
    else tell(await tryClient(ready, program))
  }
}

async function tryClient({ agent, command, args }: ReadyAgent, program: Program): Promise<ClientResult> {
  using home = makeHome()
  const files = agent.files(noModel)
  for (const [file, content] of Object.entries(files)) home.write(file, content)
  const startedMs = performance.now()
  const name = `try ${agent.name}`
  const scene = 'is set up by one command, lists our server, and keeps nothing of ours after --undo'
  const wrong = (why: string) => checked(name, scene, why)
  const tried = await ours(home, program, 'try', '--client', agent.name, '--yes', '--json')
  if (tried.code !== 0) return wrong(`try ended with ${tried.code}: ${tried.stderr.trim()}`)
  const { tools } = JSON.parse(tried.stdout) as { tools: number }
  const { servers } = agent
  if (servers === undefined) return wrong('it has no list of servers')
  const listed = await home.run(command, [...args, ...servers.args], { env: agent.env(noModel) })
  const said = `${listed.stdout}${listed.stderr}`
  const tookMs = performance.now() - startedMs
  if (!servers.shows.test(said)) return wrong(`its list says: ${said.trim().slice(-300)}`)
  const undone = await ours(home, program, 'try', '--undo')
  if (undone.code !== 0) return wrong(`try --undo ended with ${undone.code}: ${undone.stderr.trim()}`)
  const changed = Object.entries(files).filter(([file, content]) => home.read(file) !== content)
  // Some clients write into their own files when they are started; what they keep beside our part is theirs.
  const left = changed.filter(([file]) => /hubu/.test(home.read(file)))
  if (left.length > 0) return wrong(`our part is left in ${left.map(([file]) => file).join(', ')}`)
  if (tookMs > mostMs) return wrong(`it took ${Math.round(tookMs / 1000)} s`)
  return checked(name, scene, undefined, `${tools} tools, listed after ${(tookMs / 1000).toFixed(1)} s`)
}
