// The two creates (G 2.2, 2.3).
import { create, type Admission, type Diagnostic } from '../admission/create.ts'
import { decodeLegacyCreate } from '../admission/legacy-body.ts'
import { decodeCreate } from '../admission/request-body.ts'
import { toResponse } from '../executions/response.ts'
import { diagnosticFields, failure, json, versionOf } from './answers.ts'
import type { Answer } from './listener.ts'
import type { RouterRoom } from './router.ts'

/** `POST /v2/executions`. */
export async function answerCreate(room: RouterRoom, path: string, body: Buffer): Promise<Answer> {
  const request = decodeCreate(body)
  if (request === undefined) return failure(path, 'invalid_request')
  return answerAdmission(room, path, 2, await create(room.admission, request))
}

/** `POST /v1/executions`, where it is offered. */
export async function answerLegacyCreate(room: RouterRoom, path: string, body: Buffer): Promise<Answer> {
  const decoded = decodeLegacyCreate(body)
  switch (decoded.kind) {
    case 'invalid':
      return failure(path, 'invalid_request')
    case 'aliases-differ':
      return failure(path, 'legacy_token_alias_mismatch')
    case 'request':
      return answerAdmission(room, path, 1, await create(room.admission, decoded.request, decoded.holds))
  }
}

function answerAdmission(room: RouterRoom, path: string, routeVersion: 1 | 2, admission: Admission): Answer {
  switch (admission.kind) {
    case 'admitted':
      return json(200, toResponse(admission.execution, routeVersion))
    case 'invalid':
      if (admission.diagnostic !== undefined) room.onDiagnostic(versionOf(path), admission.diagnostic)
      return failure(path, 'invalid_request', admission.diagnostic)
    case 'conflict':
      return failure(path, 'immutable_scope_conflict')
    case 'internal':
      return failure(path, 'internal_error')
  }
}

/**
 * Writes one line for the first of each (route version, reason) in the life of a process (G 1.7). Nothing from a request is
 * in it.
 */
export function logDiagnosticsOnce(log: (line: string) => void): RouterRoom['onDiagnostic'] {
  const seen = new Set<string>()
  return (routeVersion: 1 | 2, diagnostic: Diagnostic) => {
    const key = `${routeVersion} ${diagnostic}`
    if (seen.has(key)) return
    seen.add(key)
    log(
      JSON.stringify({
        event: 'gongbu_admission_rejected',
        route: 'create_execution',
        route_version: routeVersion,
        status: 400,
        code: 'invalid_request',
        reason_code: diagnostic,
        fields: diagnosticFields[diagnostic],
      }),
    )
  }
}
