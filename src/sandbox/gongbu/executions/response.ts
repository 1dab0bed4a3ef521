// Pure: an execution as callers see it.
import type { Execution } from './execution.ts'

/** An execution on the wire. Nullable members are always present. */
export interface ExecutionResponse {
  schema_version: 1 | 2
  execution_id: string
  operation_key: string
  status: string
  outcome: string | null
  failure: { code: string; message: string } | null
  authorization: { amount_minor: number; currency: string }
  created_at: string
  updated_at: string
  started_at: string | null
  completed_at: string | null
}

const failureMessage = 'The execution did not end as intended.'

/** Shows an execution; version 2 from the v2 create, 1 from every v1 route. */
export function toResponse(execution: Execution, schemaVersion: 1 | 2): ExecutionResponse {
  return {
    schema_version: schemaVersion,
    execution_id: execution.executionId,
    operation_key: execution.operationKey,
    status: execution.status,
    outcome: execution.outcome,
    failure: execution.failureCode === null ? null : { code: execution.failureCode, message: failureMessage },
    authorization: { amount_minor: execution.amountMinor, currency: execution.currency },
    created_at: execution.createdAt,
    updated_at: execution.updatedAt,
    started_at: execution.startedAt,
    completed_at: execution.completedAt,
  }
}
