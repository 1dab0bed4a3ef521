import { expect, test } from 'vitest'
import { ownership, type ToolName } from '#generated/ownership.js'
import {
  isArgumentsErrorData,
  isBackendErrorData,
  isCapabilitySnapshot,
  isGongbuToolError,
  isOperationStatus,
  isRefusalErrorData,
  isSpendResult,
} from '#generated/validators/router.js'
import type { Validator } from '#generated/validators/tools.js'
import { goldenCalls, type GoldenCall, type GoldenResult } from './golden-values.ts'

const calls = goldenCalls()
const textOf = (result: GoldenResult): unknown => JSON.parse(result.content[0]?.text ?? 'null')

/** What a tool's structured result must be; other tools pass on what a backend said. */
const resultOf: Partial<Record<string, Validator<unknown>>> = {
  hubu_unified_capabilities: isCapabilitySnapshot,
  hubu_operation_status: isOperationStatus,
  hubu_authorize_spend: isSpendResult,
  hubu_submit_spend: isSpendResult,
  gongbu_create_execution: isOperationStatus,
}

test('results that we make ourselves are what their contracts say, type by type', () => {
  const counted: Record<string, number> = {}
  for (const { file, name, answer } of calls) {
    const isValid = resultOf[name]
    if (isValid === undefined || answer.result === undefined || answer.result.isError) continue
    expect(isValid(answer.result.structuredContent), `${file}: ${JSON.stringify(isValid.errors)}`).toBe(true)
    counted[name] = (counted[name] ?? 0) + 1
  }
  expect(Object.keys(counted).sort()).toEqual(Object.keys(resultOf).sort())
})

test('text and structured content of a result are the same value', () => {
  const structured = calls.filter(({ answer }) => answer.result && 'structuredContent' in answer.result)
  expect(structured.length).toBeGreaterThan(50)
  for (const { file, answer } of structured)
    expect(textOf(answer.result!), file).toEqual(answer.result!.structuredContent)
})

test('the data of an error is what its JSON-RPC code promises', () => {
  const promised: Record<number, Validator<unknown>> = {
    [-32602]: isArgumentsErrorData,
    [-32010]: isBackendErrorData,
    [-32000]: isRefusalErrorData,
  }
  const failed = calls.flatMap(({ file, answer }) => (answer.error ? [{ file, error: answer.error }] : []))
  expect(new Set(failed.map(({ error }) => error.code))).toEqual(new Set([-32602, -32010, -32000]))
  for (const { file, error } of failed) {
    const isPromised = promised[error.code]!
    expect(isPromised(error.data), `${file}: ${JSON.stringify(isPromised.errors)}`).toBe(true)
  }
})

test('only Gongbu tools answer tool errors, each with its code in the text', () => {
  const toolErrors = calls.filter(({ answer }) => answer.result?.isError)
  expect(toolErrors.length).toBeGreaterThan(8)
  for (const { file, name, answer } of toolErrors) {
    expect(ownership[name as ToolName].owner, file).toBe('gongbu')
    expect(isGongbuToolError(textOf(answer.result!)), file).toBe(true)
    expect(answer.result).not.toHaveProperty('structuredContent')
  }
})

test('nothing that the client sees holds a credential, the reconciliation capability or a private key of ours', () => {
  const shown = ({ answer }: GoldenCall) => JSON.stringify(answer)
  for (const call of calls) {
    expect(shown(call), call.file).not.toMatch(/hubu-token|gongbu-token|reconciliation-capability/)
    expect(shown(call), call.file).not.toMatch(/hubu:operation:v1:/)
  }
})
