// Pure: what a client's run came to, held against what it must have come to.
import { toolNames } from '#generated/ownership.js'
import { callsOf, type Exchange } from '../recorder/recording.ts'
import { checked, type ClientResult } from '../result.ts'
import type { Progress } from '../scripted-model/script.ts'
import type { Agent } from './agent.ts'
import type { Money } from './money.ts'
import { paidCents } from './two-pictures.ts'

/** All that is known of a run. */
export interface Run {
  progress: Progress
  exchanges: readonly Exchange[]
  /** How many pictures the client showed to its model. */
  shown: number
  money: Money
  /** What the client said last, for a person who looks for a reason. */
  words: string
}

/** The scenes of a run, in the order in which they were played. */
export function checkRun({ name, protectedBy }: Agent, run: Run): ClientResult[] {
  const { progress, exchanges, shown, money } = run
  const reached = (step: string) => progress.seen[step] !== undefined
  const otherwise = `stopped at ${progress.stopped ?? 'its end'} ${run.words}`.trim()
  const missing = toolNames.filter((tool) => !listed(exchanges).includes(tool))
  const pictures = callsOf(exchanges, 'gongbu_get_artifact').filter(hasPicture).length
  const forbidden = callsOf(exchanges, 'hubu_register_human')
  const scenes: [string, string | undefined, string?][] = [
    ['lists our tools', missing.length === 0 ? undefined : `missing ${missing.join(', ')}; ${run.words}`],
    ['buys once', reached('small: finish') ? sentOnce(exchanges) : otherwise],
    ['waits for a human', reached('large') && reached('approval') ? undefined : otherwise],
    ['pays after the approval', reached('large: finish') ? undefined : otherwise],
    [
      'gets both pictures',
      pictures === 2 ? undefined : `${pictures} pictures came; ${otherwise}`,
      `its model was shown ${shown}`,
    ],
    [
      'runs no protected tool without a person',
      // A client may end the run where a person would have to be asked.
      progress.step !== undefined && progress.step.name !== 'protected'
        ? otherwise
        : unprotected(protectedBy, forbidden),
      protectedBy === 'client' ? 'the client did not call it' : 'the router refused it',
    ],
    [
      'is charged for both purchases, once',
      money.spentCents === paidCents && money.heldCents === 0
        ? undefined
        : `${money.spentCents} cents are spent and ${money.heldCents} held instead of ${paidCents} and 0`,
    ],
  ]
  return scenes.map(([scenario, wrong, detail]) => checked(name, scenario, wrong, detail))
}

/** What is wrong with the calls of a tool that nobody may run without asking a person. */
function unprotected(protectedBy: Agent['protectedBy'], calls: readonly Exchange[]): string | undefined {
  if (protectedBy === 'client') return calls.length === 0 ? undefined : 'the client called it without asking'
  if (calls.length === 0) return 'the client did not call it'
  const isRefused = calls.every(({ error }) => error?.data?.code === 'approval_gate_required')
  const answers = JSON.stringify(calls.map(({ error, result }) => error ?? result))
  return isRefused ? undefined : `the router did not refuse it: ${answers}`
}

/** Names of the tools that the client was given. */
const listed = (exchanges: readonly Exchange[]): string[] =>
  exchanges
    .filter(({ method }) => method === 'tools/list')
    .flatMap(({ result }) => (result?.tools as { name: string }[] | undefined) ?? [])
    .map(({ name }) => name)

const hasPicture = ({ result }: Exchange): boolean =>
  ((result?.content as { type: string }[] | undefined) ?? []).some(({ type }) => type === 'image')

/** Each of the two purchases was sent as one call. */
function sentOnce(exchanges: readonly Exchange[]): string | undefined {
  const amounts = callsOf(exchanges, 'hubu_authorize_spend').map(
    ({ params }) => (params.arguments as { amount_cents: number }).amount_cents,
  )
  return new Set(amounts).size === amounts.length ? undefined : `a purchase was sent again: ${amounts.join(', ')} cents`
}
