import { expect, test } from 'vitest'
import { findId, isWholeId, shortIds } from '../../src/terminal/short-ids.ts'

const one = '25af36ac-8e50-4379-b832-1894a3416200'
const other = '25af36ac-8e51-4379-b832-1894a3416200'
const third = '9c10aa3e-0000-4000-8000-000000000000'

test('a short id is long enough to mean no other', () => {
  expect(shortIds([one, other, third])).toEqual(['25af36ac-8e50', '25af36ac-8e51', '9c10aa3e'])
  expect(shortIds([one, one])).toEqual([one, one])
})

test('a beginning stands for the one id that begins so', () => {
  expect(findId(' 9C10 ', [one, third])).toEqual({ kind: 'one', id: third })
  expect(findId('25af', [one, other])).toEqual({ kind: 'several', ids: ['25af36ac-8e50', '25af36ac-8e51'] })
  for (const typed of ['', ' ', 'ffff', `${third}0`]) expect(findId(typed, [one, third])).toEqual({ kind: 'none' })
})

test('a whole id is told from a beginning', () => {
  expect([one, one.toUpperCase(), one.slice(0, -1), `${one}0`, 'x'].map(isWholeId)).toEqual([
    ...[true, true, false, false, false],
  ])
})
