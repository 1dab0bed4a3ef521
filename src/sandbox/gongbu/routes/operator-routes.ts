// What operators do: settle the fate of a held execution, and, in the sandbox, open and close admission.
import { readJson } from '../json/json-text.ts'
import { isObject } from '../json/canonical.ts'
import { toResponse } from '../executions/response.ts'
import { decodeSignal } from '../reconciliation/signal-body.ts'
import { failure, json } from './answers.ts'
import type { Answer } from './listener.ts'
import { withExecution } from './read-routes.ts'
import type { RouteParts } from './route-parts.ts'

/**
 * Records a signal and has it served; its effect comes later. An action id that stands for something else is accepted and
 * ignored.
 */
export function answerReconciliation(parts: RouteParts, path: string, executionId: string, body: Buffer): Answer {
  return withExecution(parts, path, executionId, (execution) => {
    if (execution.status !== 'reconciliation_required') return failure(path, 'invalid_request')
    const signal = decodeSignal(body)
    if (signal === undefined) return failure(path, 'invalid_request')
    try {
      parts.signal(executionId, signal)
    } catch {
      return failure(path, 'internal_error')
    }
    return json(202, toResponse(execution, 1))
  })
}

/** `POST /sandbox/admission` with `{"open": true | false}`: the operator's stop signal, without ending the process. */
export function answerAdmissionSwitch(parts: RouteParts, path: string, body: Buffer): Answer {
  const text = readJson(body)
  const open = text.kind === 'json' && isObject(text.value) ? text.value.get('open') : undefined
  if (typeof open !== 'boolean') return failure(path, 'invalid_request')
  parts.readiness.setOpen(open)
  return json(200, { open })
}
