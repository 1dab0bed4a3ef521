import { expect, test } from 'vitest'
import { markedBehaviour, readBehaviour } from '../../../../src/sandbox/gongbu/behaviour/behaviour.ts'

test.each([
  ['rejected', { provider: 'rejected' }],
  [' Artifact   LOST ', { artifact: 'commit_then_disconnect' }],
  ['settle lost', { settle: 'commit_then_disconnect' }],
  ['slow 500ms', { slowMs: 500 }],
  ['slow 3s', { slowMs: 3000 }],
  ['slow 60m', { slowMs: 3_600_000 }],
  ['slow 61m', undefined],
  ['slow 3', undefined],
  ['slow', undefined],
  ['constructor', undefined],
  ['', undefined],
])('the words "%s" describe %o', (words, behaviour) => {
  expect(readBehaviour(words)).toEqual(behaviour)
})

test.each([
  ['a boat [[sandbox: slow 2s]][[sandbox:rejected]]', { slowMs: 2000, provider: 'rejected' }],
  ['[[sandbox: rejected]] no, [[sandbox: hang]]', { provider: 'hang' }],
  ['[[sandbox: sink]] [[sandbox: malformed]]', { provider: 'malformed' }],
  ['[[sandbox: sink]]', undefined],
  ['[sandbox: rejected] sandbox: rejected', undefined],
  ['[[sandbox: rejected', undefined],
])('the prompt "%s" asks for %o', (prompt, behaviour) => {
  expect(markedBehaviour(prompt)).toEqual(behaviour)
})

test('a prompt full of beginnings of markers is read in linear time', () => {
  expect(markedBehaviour('[[sandbox:'.repeat(3200))).toBeUndefined()
})
