import type { GongbuClient } from '../backends/gongbu/client.ts'
import type { ExecutionReply } from '../backends/gongbu/response.ts'
import type { ExecutionAnswer } from '../operations/execution-outcome.ts'
import type { GongbuExecutions } from '../operations/worker.ts'

/** The worker's two calls on the Gongbu client; a row is held against its own key and execution id. */
export function toGongbuExecutions(gongbu: GongbuClient): GongbuExecutions {
  return {
    submit: async (requestJson, row) =>
      toAnswer(await gongbu.createExecution(requestJson, { operationKey: row.operation_key ?? '', executionId: null })),
    observe: async (executionId, row) =>
      toAnswer(await gongbu.readExecution(executionId, { operationKey: row.operation_key ?? '', executionId })),
  }
}

function toAnswer(reply: ExecutionReply): ExecutionAnswer {
  switch (reply.kind) {
    case 'execution': {
      const { execution_id: executionId, status, outcome } = reply.execution
      return { kind: 'execution', executionId, status, outcome }
    }
    case 'cancelled':
      return { kind: 'retryable' }
    case 'error':
      if (reply.class !== 'permanent') return { kind: 'retryable' }
      return {
        kind: 'permanent',
        code: reply.code,
        httpStatus: reply.httpStatus ?? null,
        diagnostic: reply.diagnostic?.reason_code ?? null,
      }
  }
}
