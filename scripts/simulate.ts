// The deterministic simulation of the money path: npm run simulate -- --runs 10000 --seed anything
// A failing schedule is printed with its history and a command that repeats it.
import { parseArgs } from 'node:util'
import { describeFailure, replay, simulate } from '../test/simulation/simulate.ts'
import type { Plan } from '../test/simulation/plan.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '1000' },
      seed: { type: 'string', default: String(Date.now()) },
      plan: { type: 'string' },
    },
  })
  if (values.plan !== undefined) {
    const verdict = await replay(JSON.parse(values.plan) as Plan)
    console.log(verdict.violation === null ? 'every promise held' : describeFailure(verdict))
    return verdict.violation === null ? 0 : 1
  }
  const runs = Number(values.runs)
  if (!Number.isSafeInteger(runs) || runs < 1) {
    console.error('--runs wants a whole number from 1 on')
    return 2
  }
  const began = performance.now()
  const summary = await simulate({ runs, seed: values.seed, onProgress: (done) => tellProgress(done, runs) })
  const seconds = (performance.now() - began) / 1000
  console.log(
    `${summary.runs} schedules of seed ${values.seed} in ${seconds.toFixed(1)} s: ${summary.steps} steps, ` +
      `${summary.deaths} deaths of processes, ${summary.operations} operations`,
  )
  if (summary.failure === null) return 0
  console.log(
    `\nschedule ${summary.failure.first.plan.seed} failed; made smaller:\n${describeFailure(summary.failure.smallest)}`,
  )
  return 1
}

function tellProgress(done: number, runs: number): void {
  if (process.stderr.isTTY && done % 50 === 0) process.stderr.write(`\r${done} of ${runs}`)
  if (process.stderr.isTTY && done === runs) process.stderr.write('\r')
}
