// Many schedules: the way in for tests and for `npm run simulate`.
import { rmSync } from 'node:fs'
import { makePlan, type Plan } from './plan.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { runSchedule, scheduleFolder, type Verdict } from './run-schedule.ts'
import { shrink } from './shrink.ts'

/** What was run and what came of it. */
export interface Summary {
  runs: number
  /** Steps of virtual time, deaths of processes and operations, over all schedules. */
  steps: number
  deaths: number
  operations: number
  /** The first schedule that broke a promise, as it was and as small as it could be made. */
  failure: { first: Verdict; smallest: Verdict } | null
}

/** Which schedules to run. */
export interface SimulateOptions {
  runs: number
  /** Schedule `i` has the seed `<seed>-<i>`. */
  seed: string
  planted?: PlantedBug
  /** Leaves out making a failing plan smaller. */
  isQuick?: boolean
  onProgress?(done: number): void
}

/** Runs schedules until one breaks a promise or all have held. */
export async function simulate(options: SimulateOptions): Promise<Summary> {
  const { runs, seed, planted = null, onProgress = () => {} } = options
  const folder = scheduleFolder()
  const run = (plan: Plan) => runSchedule(plan, folder, planted)
  const summary: Summary = { runs: 0, steps: 0, deaths: 0, operations: 0, failure: null }
  try {
    for (let i = 0; i < runs && summary.failure === null; i++) {
      const verdict = await run(makePlan(`${seed}-${i}`))
      summary.runs++
      summary.steps += verdict.steps
      summary.deaths += verdict.deaths
      summary.operations += verdict.operations
      if (verdict.violation !== null)
        summary.failure = { first: verdict, smallest: options.isQuick ? verdict : await shrink(verdict, run) }
      onProgress(summary.runs)
    }
    return summary
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs one plan again. */
export async function replay(plan: Plan, planted: PlantedBug | null = null): Promise<Verdict> {
  const folder = scheduleFolder()
  try {
    return await runSchedule(plan, folder, planted)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a person needs to see and repeat a failure. */
export function describeFailure({ violation, history, plan }: Verdict): string {
  return [
    `broken promise: ${violation?.promise ?? 'none'}`,
    `  ${violation?.detail ?? ''}`,
    '',
    history,
    '',
    `replay: npm run simulate -- --plan '${JSON.stringify(plan)}'`,
  ].join('\n')
}
