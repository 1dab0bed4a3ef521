import { expect, test } from 'vitest'
import { localSelector, refusal, setup } from './setup.ts'
import { testHubu, type TestHubu } from './start.ts'

/** JSON is YAML too, so most policies are written as objects. */
function policyBody(rules: unknown[], rest: Record<string, unknown> = {}, request: Record<string, unknown> = {}) {
  const policy = { id: 'demo', version: 'v1', default_effect: 'needs_approval', rules, ...rest }
  return { policy_yaml: JSON.stringify(policy), ...request }
}

function rule(id: string, effect: string, when: unknown) {
  return { id, effect, reason: `${id} matched`, when }
}

const small = rule('small', 'allow', { op: 'lte', field: 'amount', value: { money_cents: 500 } })

const yaml = (head: string, condition = 'op: lte\n      field: amount\n      value:\n        money_cents: 5000') =>
  `id: yaml_demo_policy\n${head}default_effect: needs_approval\nrules:\n  - id: only\n    effect: allow\n    reason: within\n    when:\n      ${condition}\n`

async function apply(hubu: TestHubu, body: Record<string, unknown>) {
  return (await hubu.post('/policies', body)).body
}

test('a policy becomes the default of the current human, whatever owner it names, and is listed', async () => {
  await using hubu = await testHubu()
  await setup(hubu).user()
  const applied = await apply(hubu, {
    policy_yaml: yaml('version: demo-1\nowner_user_id: 00000000-0000-4000-8000-000000000123\n'),
  })
  expect(applied).toMatchObject({
    scope: 'user_default',
    agent_id: null,
    policy_id: expect.stringMatching(/^pol_[0-9a-z]{12}$/),
    declarative_key: 'yaml_demo_policy',
    revision: 1,
    policy_version: 'demo-1',
    changed: true,
    assignment_changed: true,
  })
  expect((await hubu.get('/policies')).body.policies).toEqual([
    {
      scope: 'user_default',
      agent_id: null,
      policy_id: applied.policy_id,
      declarative_key: 'yaml_demo_policy',
      display_name: 'yaml_demo_policy',
      revision: 1,
      payload_hash: applied.payload_hash,
      policy_version: 'demo-1',
      default_decision: 'needs_approval',
      rules: 1,
      attached_at: '2030-01-02T03:04:05+00:00',
      updated_at: '2030-01-02T03:04:05+00:00',
    },
  ])
})

test.each<[string, string, string]>([
  ['an extra top-level key', yaml('version: v\ndaily_limit_cents: 5\n'), 'unknown field `daily_limit_cents`'],
  ['in with value', yaml('version: v\n', 'op: in\n      field: category\n      value: {string: x}'), 'failed to parse'],
  ['no version', yaml(''), 'failed to parse policy yaml'],
  ['gt with a text', yaml('version: v\n', 'op: gt\n      field: amount\n      value: {string: x}'), 'invalid policy'],
  ['gt on category', yaml('version: v\n', 'op: gt\n      field: category\n      value: {string: x}'), 'invalid policy'],
  ['broken YAML', 'a: [1', 'failed to parse policy yaml'],
  ['nothing', '', 'failed to parse policy yaml'],
  ['two documents', `${yaml('version: v\n')}---\n${yaml('version: v\n')}`, 'failed to parse policy yaml'],
  ['a repeated key', `id: x\n${yaml('version: v\n')}`, 'failed to parse policy yaml'],
  ['a merge key', `<<: {a: 1}\n${yaml('version: v\n')}`, 'failed to parse policy yaml'],
  ['a tag', yaml('version: v\n', 'op: lte\n      field: amount\n      value: !money_cents 5'), 'failed to parse'],
  ['a standard tag', yaml('version: !!str v\n'), 'failed to parse policy yaml'],
  ['an owner that is no UUID', yaml('version: v\nowner_user_id: me\n'), 'failed to parse policy yaml'],
  ['nesting without end', `[`.repeat(100_000), 'failed to parse policy yaml'],
  ['a text without end', `# ${'x'.repeat(262_144)}`, 'larger than'],
  ['an alias of nothing', yaml('version: *v\n'), 'failed to parse policy yaml'],
  [
    'an alias of itself',
    'id: a\nversion: v\ndefault_effect: deny\nrules: &r [{id: *r}]\n',
    'failed to parse policy yaml',
  ],
  ['aliases without end', aliasBomb(), 'too large'],
])('%s is refused', async (_what, policyYaml, fragment) => {
  await using hubu = await testHubu()
  const [status, error] = refusal(await hubu.post('/policies', { policy_yaml: policyYaml }))
  expect(status).toBe(400)
  expect(error).toContain(fragment)
  expect((await hubu.get('/policies')).body).toEqual({ policies: [] })
})

/** Lists of conditions that each repeat the one before ten times. */
function aliasBomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const item = level === 0 ? '{op: exists, field: amount}' : `{op: all, conditions: *c${level}}`
    return `&c${level + 1} [${Array.from({ length: 10 }, () => item).join(', ')}]`
  })
  const rules = levels.map(
    (list, level) => `  - {id: r${level}, effect: allow, reason: r, when: {op: all, conditions: ${list}}}`,
  )
  return `id: bomb\nversion: v\ndefault_effect: deny\nrules:\n${rules.join('\n')}\n`
}

test.each([
  ['blank id', [small], { id: ' ' }],
  ['blank version', [small], { version: ' ' }],
  ['blank rule id', [{ ...small, id: '' }], {}],
  ['blank reason', [{ ...small, reason: ' ' }], {}],
  ['empty all', [rule('r', 'allow', { op: 'all', conditions: [] })], {}],
  ['nested empty any', [rule('r', 'allow', { op: 'not', condition: { op: 'any', conditions: [] } })], {}],
  ['currency as text', [rule('r', 'allow', { op: 'eq', field: 'currency', value: { string: 'usd' } })], {}],
])('a policy with a %s is invalid', async (_what, rules, rest) => {
  await using hubu = await testHubu()
  expect(refusal(await hubu.post('/policies', policyBody(rules, rest)))[1]).toContain('invalid policy')
})

test('plain scalars are taken as they are written', async () => {
  await using hubu = await testHubu()
  for (const [key, scalar] of Object.entries({ float: '1.0', nothing: 'null', date: '2026-01-01', number: '1' }))
    expect(await apply(hubu, { policy_yaml: yaml(`version: ${scalar}\n`), declarative_key: key })).toMatchObject({
      policy_version: scalar,
    })
})

test('revisions, renames and compare-and-set', async () => {
  await using hubu = await testHubu()
  await setup(hubu).user()
  const one = await apply(hubu, policyBody([small], {}, { display_name: 'One' }))
  expect([one.changed, one.revision]).toEqual([true, 1])
  const cas = { display_name: 'One', expected_revision: 1, expected_hash: one.payload_hash }
  expect(await apply(hubu, policyBody([small], {}, cas))).toMatchObject({ changed: false, revision: 1 })

  const v2 = { version: 'v2', default_effect: 'deny' }
  const two = await apply(hubu, policyBody([small], v2, { display_name: 'Two', expected_revision: 1 }))
  expect(two).toMatchObject({ policy_id: one.policy_id, revision: 2 })

  const stale = await hubu.post('/policies', policyBody([small], {}, { display_name: 'Late', expected_revision: 1 }))
  expect(refusal(stale)[1]).toContain('compare-and-set failed')
  const shown = (await hubu.get(`/policies/show?policy_id=${one.policy_id}`)).body
  expect(shown).toMatchObject({
    revision: 2,
    display_name: 'Two',
    policy: { default_effect: 'deny' },
    assignments: [{ scope: 'user_default', agent_id: null }],
  })
  expect((await hubu.get('/policies/export?policy_id=demo')).body.policy_yaml).toContain('default_effect: deny')

  const history = (await hubu.get('/policies/history')).body
  expect(history.revisions.map((row: { revision: number }) => row.revision)).toEqual([1, 2])
  expect(history.audit).toMatchObject([
    { action: 'applied', old_hash: null, affected_assignments: ['user_default:default'] },
    { action: 'applied', old_hash: one.payload_hash, affected_assignments: [] },
  ])
  expect(history.revisions[0].created_at).toBe('2030-01-02T03:04:05Z')
  const diff = (await hubu.get('/policies/diff?from_revision=1&to_revision=2')).body
  expect(diff).toMatchObject({
    changed_paths: ['default_effect', 'version'],
    from_hash: one.payload_hash,
    to_revision: 2,
  })
})

test('returning to older content is a new revision with the old hash', async () => {
  await using hubu = await testHubu()
  const other = rule('other', 'deny', { op: 'gt', field: 'amount', value: { money_cents: 5 } })
  const x = await apply(hubu, policyBody([small], {}, { display_name: 'One' }))
  const renamed = await apply(hubu, policyBody([small], {}, { display_name: 'Two' }))
  const y = await apply(hubu, policyBody([other], {}, { display_name: 'Two', expected_revision: 1 }))
  const cas = { display_name: 'Two', expected_revision: 2, expected_hash: y.payload_hash }
  const back = await apply(hubu, policyBody([small], {}, cas))
  expect([x, renamed, y, back].map((applied) => applied.revision)).toEqual([1, 1, 2, 3])
  expect(back.payload_hash).toBe(x.payload_hash)
  const { revisions, audit } = (await hubu.get('/policies/history')).body
  expect(revisions).toHaveLength(3)
  expect(audit.map((row: { action: string }) => row.action)).toEqual(['applied', 'renamed', 'applied', 'applied'])
})

test('a revision takes effect for every agent that the policy serves', async () => {
  await using hubu = await testHubu()
  const { user, agent, budget, pay } = setup(hubu)
  await user()
  const agents = [await agent('left'), await agent('right')]
  for (const one of agents) {
    await hubu.post('/policies', policyBody([small], {}, { agent_id: one.agent_id }))
    await budget(one, 1000)
    expect((await pay(one, { key: 'before', amount: 100 })).body.decision).toBe('allow')
  }
  await hubu.post('/policies', policyBody([], { default_effect: 'deny' }, { agent_id: agents[0]?.agent_id }))
  for (const one of agents)
    expect((await pay(one, { key: 'after', amount: 100 })).body).toMatchObject({ decision: 'deny', payment: null })
})

test('deny beats allow and reasons come in rule order', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const local = { op: 'eq', field: 'provider', value: { string: 'provider:local:fixture' } }
  const rules = [
    rule('allowed', 'allow', local),
    rule('large', 'deny', { op: 'gt', field: 'amount', value: { money_cents: 50 } }),
  ]
  await hubu.post('/policies', policyBody(rules, {}, { agent_id: agent.agent_id }))
  const denied = await authorize(agent, { key: 'k', amount: 60, execution_scope: localSelector })
  expect(denied.body).toMatchObject({ decision: 'deny', reasons: ['allowed matched', 'large matched'] })
})

test('needs_approval beats allow', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const rules = [small, rule('ask', 'needs_approval', { op: 'exists', field: 'currency' })]
  await hubu.post('/policies', policyBody(rules, { default_effect: 'deny' }, { agent_id: agent.agent_id }))
  expect((await authorize(agent, { key: 'k', amount: 60 })).body).toMatchObject({
    decision: 'needs_approval',
    policy_decision: { decisive_conditions: [{ rule_id: 'ask', matched: true, condition: 'currency is supplied' }] },
  })
})

test('with no matched rule the unmatched allow rules explain why a human is asked', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const rules = [rule('known', 'allow', { op: 'eq', field: 'merchant', value: { string: 'approved.example' } })]
  await hubu.post('/policies', policyBody(rules, {}, { agent_id: agent.agent_id }))
  const asked = (await authorize(agent, { key: 'k', amount: 60 })).body
  expect(asked).toMatchObject({ decision: 'needs_approval', reasons: [] })
  expect(asked.policy_decision.decisive_conditions).toEqual([
    { rule_id: 'known', effect: 'allow', matched: false, condition: 'merchant equals `approved.example`' },
  ])
  expect(asked.policy_decision.summary).toContain('no automatic-allow rule matched')
})

test('a policy that lost its scope stays listed, and the loss is audited', async () => {
  await using hubu = await testHubu()
  const agent = await setup(hubu).agent()
  const first = await apply(hubu, policyBody([small]))
  await apply(hubu, policyBody([small], {}, { agent_id: agent.agent_id }))
  await apply(hubu, policyBody([], { id: 'other' }, { source: 'driver' }))
  const rows = (await hubu.get('/policies')).body.policies
  expect(rows.map((row: Record<string, unknown>) => [row.declarative_key, row.scope, row.agent_id])).toEqual([
    ['demo', 'agent_override', agent.agent_id],
    ['other', 'user_default', null],
  ])
  const { audit } = (await hubu.get('/policies/history?policy_id=demo')).body
  expect(audit.at(-1)).toMatchObject({
    action: 'unassigned',
    source: 'driver',
    old_hash: first.payload_hash,
    new_hash: first.payload_hash,
    affected_assignments: ['user_default:default'],
  })
  expect(audit.at(-2).affected_assignments[0]).toMatch(/^agent_override:[0-9a-f-]{36}$/)
})

test('an exported policy is accepted again and means the same', async () => {
  await using hubu = await testHubu()
  const when = {
    op: 'any',
    conditions: [
      { op: 'in', field: 'merchant', values: [{ string: '5' }, { string: 'null' }, { string: 'a: "b"' }] },
      { op: 'not', condition: { op: 'gte', field: 'amount', value: { money_cents: 9_007_199_254_740_991 } } },
      { op: 'eq', field: 'agent_id', value: { agent_id: '3f2b8c1e-9d47-4a60-8f3c-5b1e7a9d2c46' } },
      { op: 'neq', field: 'currency', value: { currency: 'usd' } },
    ],
  }
  const applied = await apply(hubu, policyBody([rule('all', 'allow', when)], { version: '1.0' }))
  const exported = (await hubu.get('/policies/export')).body.policy_yaml
  const again = await apply(hubu, { policy_yaml: exported })
  expect(again).toMatchObject({ changed: false, payload_hash: applied.payload_hash, policy_version: '1.0' })
})
