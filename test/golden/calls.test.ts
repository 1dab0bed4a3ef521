import { describe, test } from 'vitest'
import { fileOf, usual } from './calls/case.ts'
import { callCases } from './calls/cases.ts'
import { play } from './calls/world.ts'
import { expectGolden, toGoldenText } from './recording.ts'

describe('what crosses the borders in a call is what golden/calls says', () => {
  test.each(callCases.map((golden) => [fileOf(golden), golden] as const))(
    '%s',
    async (file, { says, given, steps }) => {
      const stated = { ...usual, ...given }
      expectGolden(file, toGoldenText({ says, given: stated, steps: await play(stated, steps) }))
    },
  )
})
