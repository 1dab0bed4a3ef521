import { describe, expect, test } from 'vitest'
import type { ToolName } from '#generated/ownership.js'
import { isArgumentsErrorData } from '#generated/validators/router.js'
import { checkArguments, nestingLimit, violationSentence } from '../../src/catalog/check-arguments.ts'
import type { Findings } from '../../src/json/findings.ts'

const clean: Findings = { duplicateKey: false, protoKey: false, depth: 1, inexactNumber: false }
const violationsOf = (tool: ToolName, args: object) =>
  checkArguments(tool, args, clean).map(({ path, rule, message }) => `${path} ${rule}: ${message}`)

const spend = { account_id: 'aga_yf2v3sx9tb26', amount_cents: 25, reason: 'one image' }
const scope = { schema_version: 1, provider: 'p', executor: 'e', capability: 'c', billing_merchant: 'm' }
const create = {
  schema_version: 2,
  spend_auth_token_id: 'tok-1',
  input: { prompt: 'x' },
  input_schema_version: 1,
  workload_type: 'image_generation',
  provider: 'sandbox',
  adapter: 'fixture',
  model: 'm',
}

describe('arguments within the published schema pass', () => {
  test.each<[ToolName, object]>([
    ['hubu_health', {}],
    ['hubu_list_budgets', { include_all: false }],
    ['hubu_authorize_spend', { ...spend, execution_scope: scope, lease_profile: 'default' }],
    ['hubu_submit_spend', { ...spend, merchant: '' }],
    ['gongbu_create_execution', create],
    ['gongbu_create_execution', { ...create, spend_auth_token_id: '😀'.repeat(255) }],
    ['gongbu_get_execution', { execution_id: 'a'.repeat(255) }],
  ])('%s %j', (tool, args) => expect(violationsOf(tool, args)).toEqual([]))
})

describe('what is outside is told by place, rule and words, without its value', () => {
  test.each<[ToolName, object, string[]]>([
    ['hubu_health', { secret: 'v4lue' }, ['/secret additionalProperties: is not a member of this tool']],
    ['hubu_health', { 'v4lue with blanks': 1 }, [' additionalProperties: is not a member of this tool']],
    ['hubu_policy_diff', {}, ['/from_revision required: is required']],
    ['hubu_policy_diff', { from_revision: 1.5 }, ['/from_revision type: must be integer']],
    [
      'hubu_create_recurring_budget',
      { recurrence: 'v4lue' },
      ['/recurrence enum: must be one of ["daily","monthly","yearly"]'],
    ],
    ['gongbu_create_execution', { ...create, schema_version: 1 }, ['/schema_version const: must be 2']],
    ['gongbu_create_execution', { ...create, input: ['v4lue'] }, ['/input type: must be object']],
    [
      'gongbu_create_execution',
      { ...create, input_schema_version: 0 },
      ['/input_schema_version minimum: must be >= 1'],
    ],
    [
      'gongbu_get_execution',
      { execution_id: '' },
      [
        '/execution_id minLength: must NOT have fewer than 1 characters',
        '/execution_id pattern: must match pattern "^[A-Za-z0-9_-]+$"',
      ],
    ],
    [
      'hubu_authorize_spend',
      { ...spend, execution_scope: { ...scope, provider: '' } },
      ['/execution_scope/provider minLength: must NOT have fewer than 1 characters'],
    ],
    [
      'hubu_authorize_spend',
      { ...spend, workload_profile: 'v4lue' },
      ['/workload_profile additionalProperties: is not a member of this tool'],
    ],
  ])('%s %j', (tool, args, wanted) => {
    expect(violationsOf(tool, args)).toEqual(wanted)
    expect(wanted.join()).not.toContain('v4lue')
  })
})

test('at most ten violations are told, and they are what the error contract says', () => {
  const args = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`member_${i}`, i]))
  const violations = checkArguments('hubu_health', args, clean)
  expect(violations).toHaveLength(10)
  expect(isArgumentsErrorData({ code: 'arguments_invalid', violations })).toBe(true)
})

describe('what only the text of the call shows is refused before the schema is asked', () => {
  test.each<[Partial<Findings>, string]>([
    [{ duplicateKey: true }, 'unique_members'],
    [{ protoKey: true }, 'additionalProperties'],
    [{ inexactNumber: true }, 'exact_number'],
    [{ depth: nestingLimit + 1 }, 'depth'],
  ])('%j', (finding, rule) => {
    const violations = checkArguments('hubu_authorize_spend', spend, { ...clean, ...finding })
    expect(violations.map((violation) => violation.rule)).toEqual([rule])
  })

  test('arguments as deep as the limit pass', () => {
    expect(checkArguments('gongbu_create_execution', create, { ...clean, depth: nestingLimit })).toEqual([])
  })
})

test('half of a surrogate pair is refused wherever it stands, since no backend would get it unchanged', () => {
  const half = '\ud83d'
  for (const args of [
    { ...create, input: { prompt: `boat ${half}` } },
    { ...create, input: { [half]: 1 } },
    { ...create, input: { list: [[{ deep: half }]] } },
  ]) {
    expect(checkArguments('gongbu_create_execution', args, clean).map(({ rule }) => rule)).toEqual(['text'])
  }
})

test('the violationSentence names the tool, the place and the rule of the first violation', () => {
  const first = { path: '/execution_scope/provider', rule: 'required', message: 'is required' }
  expect(violationSentence('hubu_authorize_spend', [first, { ...first, path: '/x' }])).toBe(
    'The arguments of hubu_authorize_spend are not valid: execution_scope.provider: is required.',
  )
  expect(violationSentence('hubu_health', [{ ...first, path: '', message: 'a member is given twice' }])).toBe(
    'The arguments of hubu_health are not valid: the arguments: a member is given twice.',
  )
})
