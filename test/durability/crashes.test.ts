import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../simulation/random.ts'
import { buildBin } from '../support/built-bin.ts'
import { governedBackends, isOnDisk, rowsOf } from './governed-backends.ts'
import { runLane, type Hits } from './killed-lane.ts'

const lanes = 8
const killsPerLane = Number(process.env.HUBU_TEST_KILLS_PER_LANE ?? '13')
const seed = process.env.HUBU_TEST_SEED ?? String(Date.now())

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
}, 60_000)
afterAll(() => built[Symbol.dispose]())

test(`routers that are killed ${lanes * killsPerLane} times in the middle of spends and executions charge each purchase once`, async () => {
  console.log(`HUBU_TEST_SEED=${seed} repeats these moments as far as a machine can`)
  const random = createRandom(seed)
  await using backends = await governedBackends(() => random.between(0, 12))
  const registries = Array.from({ length: lanes }, (_, i) => path.join(backends.folder, `registry-${i}.sqlite3`))
  const ran = await Promise.all(
    registries.map((registry, number) =>
      runLane({
        bin: built.bin,
        backends,
        registry,
        random: createRandom(`${seed} ${number}`),
        kills: killsPerLane,
        number,
      }),
    ),
  )
  const purchases = ran.map((lane) => lane.purchases)
  const sum = (kind: keyof Hits) => ran.reduce((total, { hits }) => total + hits[kind], 0)
  console.log(
    `${lanes * killsPerLane} kills: ${sum('spends')} with a spend in flight, ${sum('executions')} with an execution in flight`,
  )
  expect(sum('spends')).toBeGreaterThan(10)
  expect(sum('executions')).toBeGreaterThan(5)

  const all = purchases.flat()
  const submitted = all.filter(({ hasExecution }) => !hasExecution).map(({ amountCents }) => amountCents)
  expect((await backends.payments()).sort()).toEqual(submitted.sort())
  expect(await backends.settlements()).toBe(all.length - submitted.length)

  for (const [i, registry] of registries.entries()) {
    const rows = rowsOf(registry)
    expect(rows).toHaveLength(purchases[i]?.length ?? 0)
    expect(new Set(rows.map((row) => row.operation_key)).size).toBe(rows.length)
    for (const row of rows) {
      expect(row).toMatchObject({ decision: 'allow', worker_lease_id: null, gongbu_request_json: null })
      if (row.tool_name === 'hubu_authorize_spend') expect(row.operation_state).toBe('succeeded')
    }
    expect(isOnDisk(registry, 'a circle')).toBe(false)
    expect(isOnDisk(registry, 'hubu-token')).toBe(false)
  }
}, 600_000)
