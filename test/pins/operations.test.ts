// Literals on purpose: agents read the codes, and registry files outlive the program.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isOperationResultCode } from '#generated/validators/router.js'
import { openRegistry } from '../../src/operations/open-registry.ts'
import { applicationId, schemaVersion } from '../../src/operations/schema.ts'
import { readGolden } from '../golden/recording.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { realClock } from '../../src/timing/clock.ts'

const resultCodes = [
  ...['human_approval_required', 'authorization_denied', 'authorization_continuation_unavailable', 'spend_succeeded'],
  ...['spend_denied', 'dispatch_retry_pending', 'observation_retry_pending', 'execution_in_progress'],
  ...['provider_outcome_ambiguous', 'execution_succeeded', 'execution_failed', 'authorization_released'],
  ...['dispatch_retry_exhausted', 'observation_retry_exhausted', 'reconciliation_exhausted'],
  ...['operation_deadline_exhausted', 'gongbu_unconfigured', 'execution_request_unavailable'],
  ...['execution_request_invalid', 'gongbu_authentication_failed', 'gongbu_access_forbidden', 'execution_not_found'],
  ...['execution_intent_conflict', 'execution_dispatch_failed'],
]

test('the result codes of operations stay as they are, and the two internal ones are not among them', () => {
  const schema = new URL('../../contracts/router/operation.v1.schema.json', import.meta.url)
  const { $defs } = JSON.parse(readFileSync(schema, 'utf8')) as { $defs: { OperationResultCode: { enum: string[] } } }
  expect($defs.OperationResultCode.enum).toEqual(resultCodes)
  expect(resultCodes.every((code) => isOperationResultCode(code))).toBe(true)
  const internal = ['execution_request_target_not_selectable', 'execution_request_pricing_selector_not_matched']
  expect(internal.some((code) => isOperationResultCode(code))).toBe(false)
})

test('a registry file is known by 0x4855424F and version 4', () => {
  expect(applicationId).toBe(1_213_547_087)
  expect(schemaVersion).toBe(4)
})

test('a private key and a public handle have the shapes that backends and agents have stored', () => {
  const { steps } = readGolden('calls/hubu_authorize_spend/success.json') as {
    steps: { http: { request: { body: string } }[]; answer: { result: { structuredContent: unknown } } }[]
  }
  const { operation_key: key } = JSON.parse(steps[0]!.http[0]!.request.body) as { operation_key: string }
  const { operation_handle: handle } = steps[0]!.answer.result.structuredContent as { operation_handle: string }
  expect(key).toMatch(/^hubu:operation:v1:codex:[0-9a-f]{32}$/)
  expect(handle).toMatch(/^hubu:public-operation:v1:[0-9a-f]{32}$/)
})

test('an installation has the id shape that its rows refer to', async () => {
  using folder = tempFolder()
  const settings = { clock: realClock, random: () => 0, randomHex: () => 'c'.repeat(32) }
  const opened = await openRegistry({ ...settings, statePath: folder.file('registry') })
  if (opened.kind === 'unavailable') throw new Error(opened.reason)
  opened.database.close()
  expect(opened.installationId).toBe(`hubu-installation:v1:${'c'.repeat(32)}`)
})
