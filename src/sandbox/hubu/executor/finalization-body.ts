// Pure: the two body shapes of settle and release, told apart by their keys.
import { readFields } from '../json/fields.ts'
import type { JsonObject } from '../json/value.ts'
import { Refusal } from '../refusal.ts'
import { readRawReceipt, type RawReceipt } from './receipt.ts'

/** A body whose form fits one of the shapes; texts as they came. */
export type FinalizationBody =
  | { kind: 'executor'; agentId: string; operationKey: string; receipt: RawReceipt | undefined }
  | { kind: 'human'; claimId: string; providerReference: string; evidence: string; receipt: RawReceipt | undefined }

const shapes = [executorShape, humanShape]

/** Reads a body as the executor's shape or the human's. A 400 `did not match any variant` when it fits neither exactly. */
export function readFinalizationBody(object: JsonObject): FinalizationBody {
  for (const shape of shapes) {
    try {
      return shape(object)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  throw new Refusal('the request body did not match any variant of this route')
}

function executorShape(object: JsonObject): FinalizationBody {
  const fields = readFields(object, {
    keys: ['agent_id', 'operation_key', 'receipt'],
    aliases: { executor_execution_id: 'operation_key' },
    strict: true,
  })
  const receipt = fields.optionalObject('receipt')
  return {
    kind: 'executor',
    agentId: fields.text('agent_id'),
    operationKey: fields.text('operation_key'),
    receipt: receipt && readRawReceipt(receipt),
  }
}

function humanShape(object: JsonObject): FinalizationBody {
  const keys = ['claim_id', 'provider_reference', 'evidence', 'receipt']
  const fields = readFields(object, { keys, strict: true })
  const receipt = fields.optionalObject('receipt')
  return {
    kind: 'human',
    claimId: fields.text('claim_id'),
    providerReference: fields.text('provider_reference'),
    evidence: fields.text('evidence'),
    receipt: receipt && readRawReceipt(receipt),
  }
}
