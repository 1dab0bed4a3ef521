import { callsOf, exchangesOf, readLines } from '../recorder/recording.ts'
import { checked, type ClientResult } from '../result.ts'
import { startModel } from '../scripted-model/serve.ts'
import type { ReadyAgent } from './drive.ts'
import { makeHome } from './home.ts'
import { applyPolicy, moneyOf } from './money.ts'
import { oneAuthorization, policyYaml } from './two-pictures.ts'
import { init, insertRecorder, recordFile, type Program } from './wire.ts'

/** Below the 2 s that a slow Hubu of the sandbox takes. */
const shortWaitMs = 1500

/**
 * Qwen Code sends a call that it waited for in vain again, from new processes and without any id. With a wait that is shorter than
 * Hubu's answer one purchase must stay one.
 */
export async function driveImpatient({ agent, command, args }: ReadyAgent, program: Program): Promise<ClientResult> {
  using home = makeHome()
  const { account_id: accountId } = await applyPolicy(home, program, policyYaml)
  await using model = await startModel(oneAuthorization(accountId), async () => {})
  for (const [file, content] of Object.entries(agent.files(model.url))) home.write(file, content)
  const { file } = await init(home, program, agent)
  insertRecorder(home, program, file, ['--fault', 'hubu-slow'])
  home.write(
    file,
    home.read(file).replace(/"hubu": *\{/, (entry) => `${entry} "timeout": ${shortWaitMs},`),
  )
  await home.run(command, [...args, ...agent.run], { env: agent.env(model.url), mostMs: 180_000 })
  const sent = callsOf(exchangesOf(readLines(home.read(recordFile))), 'hubu_authorize_spend')
  const { spentCents, heldCents } = await moneyOf(home, program)
  const told = `${sent.length} deliveries from ${new Set(sent.map(({ pid }) => pid)).size} processes`
  const isOnce = spentCents + heldCents === 1
  return checked(
    agent.name,
    'is charged once when it waits less than Hubu takes',
    isOnce ? undefined : `${told}; ${heldCents} cents held and ${spentCents} spent instead of 1`,
    told,
  )
}
