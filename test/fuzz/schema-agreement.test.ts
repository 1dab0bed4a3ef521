import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toolDefinitions } from '#generated/catalog.js'
import { toolValidators, type Validator } from '#generated/validators/tools.js'
import { ajvOptions } from '../../scripts/codegen/emit-validators.ts'
import { print } from './json-text.ts'
import { seed } from './seed.ts'
import { fitting, nearlyFitting, type ToolSchema } from './tool-arguments.ts'

const ajv = new Ajv2020(ajvOptions)
const runs = 300

describe.each(toolDefinitions.map(({ name, inputSchema }) => ({ name, schema: inputSchema as ToolSchema })))(
  'the schema gate of $name',
  ({ name, schema }) => {
    const interpreted = ajv.compile(schema)
    const generated: Validator<unknown> = toolValidators[name]
    const verdicts = (value: unknown) => ({
      interpreted: interpreted(value) ? [] : interpreted.errors?.map(toIssue),
      generated: generated(value) ? [] : generated.errors?.map(toIssue),
    })

    test('takes everything that is made to fit the published schema', () => {
      fc.assert(
        fc.property(fitting(schema), (piece) => {
          expect(verdicts(JSON.parse(print(piece)))).toEqual({ interpreted: [], generated: [] })
        }),
        { numRuns: 60, seed },
      )
    })

    test('judges alike, interpreted and generated, whatever comes close to the schema or misses it', () => {
      const counts = { accepted: 0, refused: 0 }
      fc.assert(
        fc.property(fc.oneof(nearlyFitting(schema), fc.jsonValue({ maxDepth: 3 }).map(asPiece)), (piece) => {
          const found = verdicts(JSON.parse(typeof piece === 'string' ? piece : print(piece)))
          expect(found.generated).toEqual(found.interpreted)
          counts[found.generated?.length === 0 ? 'accepted' : 'refused']++
        }),
        { numRuns: runs, seed },
      )
      // Neither side may win by judging everything alike.
      expect(counts.accepted).toBeGreaterThan(runs / 50)
      expect(counts.refused).toBeGreaterThan(runs / 50)
    })
  },
)

const asPiece = (value: unknown) => JSON.stringify(value)

const toIssue = ({ instancePath, keyword, params, message }: Issue) => ({ instancePath, keyword, params, message })

interface Issue {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
  message?: string
}
