// Makes a failing plan smaller: what is left is what the failure needs.
import type { Plan, Trouble } from './plan.ts'
import type { Verdict } from './run-schedule.ts'

/** Tries so many smaller plans at most. */
const mostTries = 60

/**
 * The smallest plan found that still breaks the same promise, and what became of it. `run` must be the way in which the given
 * verdict came about.
 */
export async function shrink(verdict: Verdict, run: (plan: Plan) => Promise<Verdict>): Promise<Verdict> {
  let best = verdict
  let tries = 0
  const attempt = async (plan: Plan): Promise<boolean> => {
    if (tries++ >= mostTries) return false
    const found = await run(plan)
    const isSame = found.violation !== null && found.violation.promise === verdict.violation?.promise
    if (isSame) best = found
    return isSame
  }
  for (let isShrinking = true; isShrinking && tries < mostTries;) {
    isShrinking = false
    for (const smaller of smallerPlans(best.plan)) {
      if (!(await attempt(smaller))) continue
      isShrinking = true
      break
    }
  }
  return best
}

/** Plans with one thing less. Streams of chance are named after things, so that what stays goes on as before. */
function* smallerPlans(plan: Plan): Generator<Plan> {
  const { intents, troubles, processes } = plan
  for (const intent of intents)
    if (intents.length > 1) yield { ...plan, intents: intents.filter((one) => one !== intent) }
  for (const trouble of Object.keys(troubles) as Trouble[]) {
    const { [trouble]: _less, ...rest } = troubles
    yield { ...plan, troubles: rest }
  }
  if (plan.swap !== undefined) {
    const { swap: _swap, ...rest } = plan
    yield rest
  }
  if (processes.length > 1) yield { ...plan, processes: processes.slice(0, -1) }
}
