import type { HttpClient } from './http-client.ts'
import { readJson } from '../json/read.ts'

/** A raw probe fact: a status with a JSON body, or nothing that counts as an answer. */
export type ProbeAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'none'; readonly cause?: unknown }

const maxBytes = 64 * 1024

/** Asks one probe route. A body that is not JSON, or over 64 KiB, counts as no response. Never rejects. */
export async function askProbe(http: HttpClient, path: string): Promise<ProbeAnswer> {
  const outcome = await http.send({ method: 'GET', path }, { maxBytes, isUrgent: true })
  if (outcome.kind !== 'answer') {
    const cause = 'cause' in outcome ? outcome.cause : undefined
    return Object.defineProperty({ kind: 'none' } as const, 'cause', { value: cause, enumerable: false })
  }
  const body = readJson(outcome.body)
  return body.kind === 'json' ? { kind: 'json', status: outcome.status, body: body.value } : { kind: 'none' }
}
