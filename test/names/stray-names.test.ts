import { expect, test } from 'vitest'
import { builtInNames, strayNames, type ServerNames } from '../../src/names/stray-names.ts'

const atlas: ServerNames = {
  server: 'atlas',
  has: (tool) => ['route', 'atlas_route', 'geocode'].includes(tool),
  names: ['atlas__route', 'atlas__geocode'],
}

test('a pin or an allowed tool that means no tool is told with the nearest name', () => {
  const lists = {
    pin: ['atlas', 'atlas__*', 'atlas__route', 'atlas__atlas_route', 'atlas__rotue', 'atlas__weather', 'atlas__rotue'],
    tools: ['atlas__gecode', 'atlas__geocode'],
  }
  const told = new Set<string>()
  expect(strayNames(lists, [atlas], told)).toEqual([
    'the pin atlas__rotue names no tool of atlas; did you mean atlas__route?',
    'the pin atlas__weather names no tool of atlas',
    'the allowed tool atlas__gecode names no tool of atlas; did you mean atlas__geocode?',
  ])
  expect(strayNames(lists, [atlas], told)).toEqual([])
})

test('names of a server that is not known now are not judged', () => {
  expect(strayNames({ pin: ['ledger__x', 'ledger'], tools: ['off__y'] }, [atlas, ...builtInNames], new Set())).toEqual(
    [],
  )
})

test('tools of the contract are known under each of their names', () => {
  const pin = [
    'hubu__list_ledger',
    'hubu__hubu_list_ledger',
    'router__operation_status',
    'gongbu__*',
    'hubu__list_leger',
  ]
  expect(strayNames({ pin }, builtInNames, new Set())).toEqual([
    expect.stringMatching(/^the pin hubu__list_leger names no tool of hubu; did you mean hubu__list_ledger\?$/),
  ])
})
