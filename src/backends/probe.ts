import type { HttpClient } from './http-client.ts'
import { readJson } from '../json/read.ts'

/** A raw probe fact: a status with a JSON body, or nothing that counts as an answer. */
export type ProbeAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'none'; readonly cause?: unknown }

const maxBytes = 64 * 1024

/** Asks one probe route. A body that is not JSON, or over 64 KiB, counts as no response. Never rejects. */
async function askProbe(http: HttpClient, path: string): Promise<ProbeAnswer> {
  const outcome = await http.send({ method: 'GET', path }, { maxBytes, isUrgent: true })
  if (outcome.kind !== 'answer') {
    const cause = 'cause' in outcome ? outcome.cause : undefined
    return Object.defineProperty({ kind: 'none' } as const, 'cause', { value: cause, enumerable: false })
  }
  const body = readJson(outcome.body)
  return body.kind === 'json' ? { kind: 'json', status: outcome.status, body: body.value } : { kind: 'none' }
}

/** What Hubu answered to one round of probes, unjudged. */
export interface HubuProbe {
  readonly health: ProbeAnswer
  readonly version: ProbeAnswer
}

/** Asks both routes one after the other, always both. Never rejects. */
export async function probeHubu(http: HttpClient): Promise<HubuProbe> {
  const health = await askProbe(http, '/health')
  const version = await askProbe(http, '/version')
  return { health, version }
}

/** What Gongbu answered to one round of probes, unjudged. */
export interface GongbuProbe {
  readonly live: ProbeAnswer
  readonly ready: ProbeAnswer
  readonly version: ProbeAnswer
}

/** Asks the three routes one after the other, always all of them. Never rejects. */
export async function probeGongbu(http: HttpClient): Promise<GongbuProbe> {
  const live = await askProbe(http, '/livez')
  const ready = await askProbe(http, '/readyz')
  const version = await askProbe(http, '/version')
  return { live, ready, version }
}
