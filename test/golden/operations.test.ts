import { describe, expect, test } from 'vitest'
import { isOperationStatus } from '#generated/validators/router.js'
import { toOperationStatus } from '../../src/operations/status.ts'
import { operationCases } from './operations/cases.ts'
import { filled, handle, readAt } from './operations/rows.ts'
import { expectGolden, toGoldenText } from './recording.ts'

describe('a row becomes the status that the contract says, and golden/operations holds', () => {
  test.each(Object.entries(operationCases))('%s', (name, { row, ...wanted }) => {
    const status = toOperationStatus(row, new Date(readAt))
    const { guidance: _text, ...rest } = status
    expect(rest).toEqual({
      schema_version: 1,
      operation_handle: handle,
      state: wanted.state,
      terminal: wanted.terminal ?? false,
      replacement_safe: wanted.replacementSafe ?? false,
      execution_id: wanted.executionId ?? null,
      result: wanted.result ?? null,
      updated_at: wanted.updatedAt ?? '2026-08-25T00:00:00.000Z',
    })
    expect(isOperationStatus(status)).toBe(true)
    expectGolden(`operations/${name}.json`, toGoldenText({ readAt, row: filled(row), status }))
  })
})

test('a status holds no private key, token, identity, task or prompt', () => {
  for (const { row } of Object.values(operationCases)) {
    const text = JSON.stringify(toOperationStatus(row, new Date(readAt)))
    expect(text).not.toMatch(/hubu:operation:v1|tok-1|codex|installation|private/)
  }
})

test('the guidance of each class says the next step and forbids a replacement unless nothing was started', () => {
  const guidanceOf = (name: string) => toOperationStatus(operationCases[name]!.row, new Date(readAt)).guidance
  expect(guidanceOf('authorized')).toContain('gongbu_create_execution')
  expect(guidanceOf('approval-required')).toMatch(/human[^]*redeliver the original call/)
  expect(guidanceOf('approval-required')).not.toContain('gongbu_create_execution')
  expect(guidanceOf('awaiting-hubu-result')).toMatch(/Redeliver the original call with the same harness identity/)
  expect(guidanceOf('execution-succeeded')).toContain('finished')
  for (const name of ['accepted', 'queued', 'dispatching', 'execution-in-progress']) {
    expect(guidanceOf(name)).toContain('Keep reading')
  }
  const others = Object.keys(operationCases).filter((name) => !name.startsWith('authorized'))
  for (const name of others) expect(guidanceOf(name)).toContain('Do not submit a replacement')
})
