// The create, and the log lines about those that are refused.
import { create, type Admission, type Diagnostic } from '../admission/create.ts'
import { decodeCreate } from '../admission/request-body.ts'
import { toResponse } from '../executions/response.ts'
import { diagnosticFields, failure, json } from './answers.ts'
import type { Answer } from './listener.ts'
import type { RouteParts } from './route-parts.ts'

/** `POST /v2/executions`. */
export async function answerCreate(parts: RouteParts, path: string, body: Buffer): Promise<Answer> {
  const request = decodeCreate(body)
  if (request === undefined) return failure(path, 'invalid_request')
  return answerAdmission(parts, path, await create(parts.admission, request))
}

function answerAdmission(parts: RouteParts, path: string, admission: Admission): Answer {
  switch (admission.kind) {
    case 'admitted':
      return json(200, toResponse(admission.execution, 2))
    case 'invalid':
      if (admission.diagnostic !== undefined) parts.onDiagnostic(admission.diagnostic)
      return failure(path, 'invalid_request', admission.diagnostic)
    case 'conflict':
      return failure(path, 'immutable_scope_conflict')
    case 'internal':
      return failure(path, 'internal_error')
  }
}

/**
 * Writes one line for the first of each reason in the life of a process. Nothing from a request is
 * in it.
 */
export function logDiagnosticsOnce(log: (line: string) => void): RouteParts['onDiagnostic'] {
  const seen = new Set<Diagnostic>()
  return (diagnostic) => {
    if (seen.has(diagnostic)) return
    seen.add(diagnostic)
    log(
      JSON.stringify({
        event: 'gongbu_admission_rejected',
        route: 'create_execution',
        route_version: 2,
        status: 400,
        code: 'invalid_request',
        reason_code: diagnostic,
        fields: diagnosticFields[diagnostic],
      }),
    )
  }
}
