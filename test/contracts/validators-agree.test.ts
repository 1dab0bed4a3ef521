// The standalone validators are what ships; the interpreted ones are what ajv says of the contracts as they stand.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as backends from '#generated/validators/backends.js'
import * as config from '#generated/validators/config.js'
import { metaToolValidators } from '#generated/validators/meta-tools.js'
import * as router from '#generated/validators/router.js'
import { toolValidators, type Validator } from '#generated/validators/tools.js'
import { ajvOptions } from '../../scripts/codegen/emit-validators.ts'
import { definitionNames, pascal } from '../../scripts/codegen/names.ts'
import { readContracts, type Schema, type ToolContract } from '../../scripts/codegen/read-contracts.ts'
import { goldenCalls, goldenValues } from './golden-values.ts'
import { root } from './root.ts'
import { valuesNear } from './values.ts'

const contracts = readContracts(root)
const runs = { numRuns: 150, seed: 20_261_129 }

type Interpreted = ReturnType<Ajv2020['compile']>

/** What a validator says about a value: every broken rule, in order. */
function verdict(validate: Validator<unknown> | Interpreted, value: unknown): unknown {
  if (validate(value)) return 'valid'
  return validate.errors?.map(({ instancePath, keyword, params, message }) => ({
    instancePath,
    keyword,
    params,
    message,
  }))
}

interface Pair {
  name: string
  standalone: Validator<unknown>
  interpreted: Interpreted
  schema: Record<string, unknown>
  whole: Record<string, unknown>
}

const pairsOfTools = (tools: ToolContract[], validators: object): Pair[] =>
  tools.map(({ name, inputSchema }) => ({
    name,
    standalone: (validators as Record<string, Validator<unknown>>)[name]!,
    interpreted: new Ajv2020(ajvOptions).compile(inputSchema),
    schema: inputSchema,
    whole: inputSchema,
  }))
const toolPairs = pairsOfTools(contracts.tools, toolValidators)
const metaToolPairs = pairsOfTools(contracts.metaTools, metaToolValidators)

/** A schema and each of its definitions, which have validators of their own. */
function pairsOf(schema: Schema, standalone: object): Pair[] {
  const ajv = new Ajv2020(ajvOptions).addSchema(schema)
  const definitions = (schema.$defs ?? {}) as Record<string, Record<string, unknown>>
  const pair = (name: string, reference: string, part: Record<string, unknown>): Pair => ({
    name,
    standalone: (standalone as Record<string, Validator<unknown>>)[`is${name}`]!,
    interpreted: ajv.getSchema(reference)!,
    schema: part,
    whole: schema,
  })
  return [
    pair(pascal(schema.title), schema.$id, schema),
    ...definitionNames(schema).map((name) => pair(name, `${schema.$id}#/$defs/${name}`, definitions[name]!)),
  ]
}

const schemaPairs = [
  ...contracts.schemas.router.flatMap((schema) => pairsOf(schema, router)),
  ...contracts.schemas.backends.flatMap((schema) => pairsOf(schema, backends)),
  ...contracts.schemas.config.flatMap((schema) => pairsOf(schema, config)),
]
const allPairs = [...toolPairs, ...metaToolPairs, ...schemaPairs]

test('every generated validator has an interpreted twin, and none is left out', () => {
  const validators = [...Object.keys(router), ...Object.keys(backends), ...Object.keys(config)]
  expect(schemaPairs.map(({ name }) => `is${name}`).sort()).toEqual(validators.sort())
  expect(toolPairs.map(({ name }) => name).sort()).toEqual(Object.keys(toolValidators).sort())
  expect(metaToolPairs.map(({ name }) => name).sort()).toEqual(Object.keys(metaToolValidators).sort())
})

test('both say the same of the arguments of every golden call', () => {
  const byName = new Map(toolPairs.map((pair) => [pair.name, pair]))
  for (const { name, args } of goldenCalls()) {
    const { standalone, interpreted } = byName.get(name)!
    expect(verdict(standalone, args), name).toEqual(verdict(interpreted, args))
  }
})

test('both say the same of everything else that golden files hold, whatever it was meant for', () => {
  const values = goldenValues()
  expect(values.length).toBeGreaterThan(200)
  for (const { name, standalone, interpreted } of schemaPairs) {
    const differing = values.filter((value) => {
      const said = [standalone, interpreted].map((validate) => JSON.stringify(verdict(validate, value)))
      return said[0] !== said[1]
    })
    expect(differing, name).toEqual([])
  }
})

describe('both say the same of values near the schema, and of each kind there are some', () => {
  test.each(allPairs.map((pair) => [pair.name, pair] as const))('%s', (_name, pair) => {
    const seen = { valid: 0, invalid: 0 }
    const property = fc.property(valuesNear(pair.schema, pair.whole), (value) => {
      const said = verdict(pair.standalone, value)
      seen[said === 'valid' ? 'valid' : 'invalid']++
      expect(said).toEqual(verdict(pair.interpreted, value))
    })
    fc.assert(property, runs)
    expect(seen.valid).toBeGreaterThan(0)
    expect(seen.invalid).toBeGreaterThan(0)
  })
})
