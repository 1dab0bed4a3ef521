import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { exactReceipt, reconciliation, setup } from './setup.ts'
import { testHubu, type Answer, type TestHubu } from './start.ts'

/** A source of ids that fails at one draw, as if the process died there. */
function failingIds() {
  const source = { left: Infinity, drawn: 0 }
  const draw = () => {
    source.drawn += 1
    source.left -= 1
    if (source.left < 0) throw new Error('died here')
    return randomUUID()
  }
  return { source, draw }
}

/** Everything that a client can see of the state. */
async function everything(hubu: TestHubu): Promise<string[]> {
  const paths = [
    '/budgets?all=1',
    '/spend/workflows',
    '/ledger/transactions',
    '/ledger',
    '/users',
    '/agents',
    '/policies',
  ]
  const answers = []
  for (const path of paths) answers.push((await hubu.get(path)).text)
  return answers
}

const steps: Record<string, (hubu: TestHubu) => Promise<() => Promise<Answer>>> = {
  async payment(hubu) {
    const { ready, pay } = setup(hubu)
    const { agent } = await ready(500, 500)
    return () => pay(agent, { key: 'k', amount: 100 })
  },
  async approval(hubu) {
    const { ready, authorize, resolve } = setup(hubu)
    const { agent } = await ready(50, 500)
    const id = (await authorize(agent, { key: 'k', amount: 100 })).body.decision_id as string
    return () => resolve(id, 'approve')
  },
  async claim(hubu) {
    const { ready, authorize, claim } = setup(hubu)
    const { agent } = await ready(500, 500)
    const asked = await authorize(agent, { key: 'k', amount: 100 })
    return () => claim(agent, asked)
  },
  async settlement(hubu) {
    const { ready, authorize, claim, settle } = setup(hubu)
    const { agent } = await ready(500, 500)
    await claim(agent, await authorize(agent, { key: 'k', amount: 100 }))
    return () => settle(agent, 'k', exactReceipt(1, 6))
  },
  async reconciliation(hubu) {
    const { ready, authorize, claim } = setup(hubu)
    const { agent } = await ready(500, 500)
    const asked = await authorize(agent, { key: 'k', amount: 100, lease_profile: 'conformance_short' })
    const claimed = await claim(agent, asked)
    hubu.clock.advance(1)
    const body = {
      claim_id: claimed.body.claim_id,
      provider_reference: 'p',
      evidence: 'e',
      receipt: exactReceipt(1, 6),
    }
    return () => hubu.post('/spend/executor/settle', body, reconciliation)
  },
  async registration(hubu) {
    await setup(hubu).user()
    return () => hubu.post('/agents/register', { name: 'a', version: 'v' })
  },
  async series(hubu) {
    const agent = await setup(hubu).agent()
    const body = { agent_id: agent.agent_id, amount_cents: 1, recurrence: 'daily', period_count: 5 }
    return () => hubu.post('/budgets/series', body)
  },
}

test.each(Object.keys(steps))('a %s that dies half way leaves nothing, and works when it is repeated', async (name) => {
  const { source, draw } = failingIds()
  await using hubu = await testHubu({ randomUuid: draw })
  const act = await steps[name]?.(hubu)
  if (act === undefined) throw new Error('no such step')
  const before = await everything(hubu)
  for (let survived = 0; ; survived += 1) {
    source.left = survived
    const answer = await act()
    source.left = Infinity
    if (answer.status === 200) {
      expect(survived).toBeGreaterThan(0)
      expect(answer.body.idempotent_replay ?? false).toBe(false)
      expect(await everything(hubu)).not.toEqual(before)
      return
    }
    expect([answer.status, answer.body]).toEqual([500, { error: 'internal error' }])
    expect(await everything(hubu)).toEqual(before)
  }
})
