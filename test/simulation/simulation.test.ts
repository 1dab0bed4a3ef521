import { expect, test } from 'vitest'
import { makePlan } from './plan.ts'
import { plantedBugs } from './planted-bugs.ts'
import { itself } from './run-schedule.ts'
import { describeFailure, replay, simulate } from './simulate.ts'

const runs = 300

test(`every promise of the money path holds in ${runs} schedules of crashes, lost answers and overlapping processes`, async () => {
  const { failure, ...totals } = await simulate({ runs, seed: 'npm test' })
  expect(failure === null ? '' : describeFailure(failure.smallest)).toBe('')
  expect(totals.runs).toBe(runs)
  expect(totals.deaths).toBeGreaterThan(runs)
  expect(totals.operations).toBeGreaterThan(runs)
}, 300_000)

test.each(plantedBugs)(
  'the simulator finds within 200 schedules that $name',
  async (planted) => {
    const { failure } = await simulate({ runs: 200, seed: 'planted', planted, isQuick: true })
    expect(failure?.first.violation).toBeTruthy()
    expect(failure?.first.violation?.promise).not.toBe(itself)
    expect(failure?.first.history).toContain('BROKEN')
  },
  300_000,
)

test('a failing schedule is made smaller, and its plan alone repeats it step for step', async () => {
  const [planted] = plantedBugs
  if (planted === undefined) throw new Error('no planted fault')
  const { failure } = await simulate({ runs: 50, seed: 'smaller', planted })
  if (failure === null) throw new Error('nothing was found')
  const { first, smallest } = failure
  expect(smallest.violation?.promise).toBe(first.violation?.promise)
  expect(smallest.plan.intents.length).toBeLessThanOrEqual(first.plan.intents.length)
  expect(describeFailure(smallest)).toMatch(/broken promise: .*\n[^]*replay: npm run simulate -- --plan '\{/)
  expect(describeFailure(smallest).split('\n').length).toBeLessThan(75)
  const again = await replay(JSON.parse(JSON.stringify(smallest.plan)) as typeof smallest.plan, planted)
  expect(again.history).toBe(smallest.history)
}, 300_000)

test('the same plan takes the same steps', async () => {
  const plan = makePlan('twice')
  const [once, again] = [await replay(plan), await replay(JSON.parse(JSON.stringify(plan)) as typeof plan)]
  expect([again.steps, again.deaths, again.operations]).toEqual([once.steps, once.deaths, once.operations])
}, 300_000)
