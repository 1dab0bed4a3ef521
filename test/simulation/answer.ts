import type { HttpOutcome } from '../../src/backends/http-client.ts'

/** A complete answer of a backend. */
export interface Answer {
  status: number
  contentType: string
  body: string
}

/** The answer as the router's HTTP client hands it on. */
export function toOutcome({ status, contentType, body }: Answer): HttpOutcome {
  return { kind: 'answer', status, contentType, body: Buffer.from(body) }
}
