import path from 'node:path'
import { installPackages } from '../npm/install.ts'
import { exchangesOf, readLines } from '../recorder/recording.ts'
import { installFromPypi } from '../pypi/install.ts'
import { checked, skipped, type ClientResult } from '../result.ts'
import { replay, type Step } from '../scripted-model/script.ts'
import { startModel, type BeforeStep, type ScriptedModel } from '../scripted-model/serve.ts'
import type { Agent, ReadyAgent } from './agent.ts'
import { approveFromOutside } from './approve.ts'
import { checkRun, type Run } from './checks.ts'
import { driveImpatient } from './impatient.ts'
import { makeHome, type Home } from './home.ts'
import { applyPolicy, moneyOf } from './money.ts'
import { twoPictures } from './two-pictures.ts'
import { init, insertRecorder, recordFile, undo, type Program } from './wire.ts'

/** How long a client may work before it is ended. */
const mostMs = 300_000

/** Installs a client below the folder and asks its version; the reason, when that does not work. */
export async function prepare(agent: Agent, folder: string, node: string): Promise<ReadyAgent | { reason: string }> {
  const place = path.join(folder, agent.name)
  const packages = agent.package.split(' ')
  const installed = agent.isPython ? installFromPypi(place, packages) : installPackages(place, packages)
  if ('reason' in installed) return installed
  const { command, args } = agent.start(installed.modules, node)
  using home = makeHome()
  const { code, stdout, stderr } = await home.run(command, [...args, '--version'])
  if (code !== 0)
    return { reason: `${agent.package} does not run here: ${lastWords(stderr) || `it ended with ${code}`}` }
  return { agent, command, args, version: versionIn(stdout) }
}

/** Plays everything with one client: set up, list, buy, wait, go on. Calls `tell` with each result as soon as it is known. */
async function drive(
  { agent, command, args }: ReadyAgent,
  program: Program,
  tell: (result: ClientResult) => void,
): Promise<void> {
  using home = makeHome()
  await using model = await startModel(twoPictures, humansAndPatience(home, program))
  const env = agent.env(model.url)
  for (const [file, content] of Object.entries(agent.files(model.url))) home.write(file, content)
  const file = await attempt(agent.name, 'init writes, and undo gives the former bytes back', tell, async () => {
    const before = Object.keys(agent.files(model.url)).map((name) => home.read(name))
    await init(home, program, agent)
    await undo(home, program, agent)
    const after = Object.keys(agent.files(model.url)).map((name) => home.read(name))
    if (before.join('\0') !== after.join('\0')) throw new Error('the files differ after init and undo')
    return (await init(home, program, agent)).file
  })
  if (file === undefined) return
  const { servers } = agent
  if (servers !== undefined)
    await attempt(agent.name, `its own \`${servers.args.join(' ')}\` shows our server`, tell, async () => {
      const { stdout, stderr } = await home.run(command, [...args, ...servers.args], { env })
      if (!servers.shows.test(`${stdout}${stderr}`)) throw new Error(lastWords(`${stdout}${stderr}`))
    })
  await applyPolicy(home, program)
  insertRecorder(home, program, file)
  const ended = await home.run(command, [...args, ...agent.run], { env, mostMs })
  const words = `the client ended with ${ended.code}: ${lastWords(ended.stderr || ended.stdout)}`
  for (const result of checkRun(agent, await runOf(home, program, model, words))) tell(result)
}

/** Reads what a run left behind. */
async function runOf(home: Home, program: Program, model: ScriptedModel, words: string): Promise<Run> {
  const progress = replay(twoPictures, model.longest)
  return {
    progress: { ...progress, stopped: model.stopped ?? progress.stopped ?? progress.step?.name },
    exchanges: exchangesOf(readLines(home.read(recordFile))),
    shown: model.longest.results.reduce((sum, { pictures }) => sum + pictures, 0),
    money: await moneyOf(home, program),
    words,
  }
}

/**
 * A human approves once the agent has seen that one is waited for. Between equal calls there is time: clients end a run in which a
 * model repeats itself too often.
 */
function humansAndPatience(home: Home, program: Program): BeforeStep {
  return async (step: Step, attempt: number) => {
    if (attempt === 0) return
    if (step.name === 'approval' && attempt === 1) await approveFromOutside(home, program)
    await new Promise((resolve) => setTimeout(resolve, patienceMs))
  }
}

const patienceMs = 2000

/** Runs a scene and tells how it went; its value, or undefined when it did not hold. */
async function attempt<T>(
  client: string,
  scenario: string,
  tell: (result: ClientResult) => void,
  scene: () => Promise<T>,
): Promise<T | undefined> {
  try {
    const value = await scene()
    tell(checked(client, scenario, undefined))
    return value
  } catch (error) {
    tell(checked(client, scenario, (error as Error).message))
    return undefined
  }
}

const lastWords = (said: string): string => said.trim().split('\n').slice(-3).join(' | ').slice(0, 400)

/** Drives one client; if it cannot be installed or started, it is skipped with the reason. */
export async function driveAgent(
  agent: Agent,
  { folder, node, program }: { folder: string; node: string; program: Program },
  tell: (result: ClientResult) => void,
): Promise<void> {
  const ready = await prepare(agent, folder, node)
  if ('reason' in ready) return tell(skipped(agent.name, 'everything', ready.reason))
  const told = (result: ClientResult) => tell({ ...result, client: `${agent.name} ${ready.version}` })
  await attempt(
    agent.name,
    'is driven to the end',
    (result) => result.failures.length > 0 && told(result),
    () => drive(ready, program, told),
  )
  if (agent.waits) told(await driveImpatient(ready, program))
}

/** The number in what a client says of its version. */
const versionIn = (said: string): string => /\d+\.\d+\.\d+[\w-]*/.exec(said)?.[0] ?? said.trim()
