// Which era a process on stdio is of. Pure but for what it remembers.
import type { IncomingRequest } from '../wire/incoming.ts'
import { member } from '../json/read.ts'
import { hasClaim, readModernRequest, unsupportedVersion, type ModernRequest } from '../wire/modern.ts'

/** What becomes of a request: `legacy` for the handshake's revisions, else as the modern era has it. */
export type JudgedRequest = ModernRequest | { readonly kind: 'legacy' }

const legacy: JudgedRequest = { kind: 'legacy' }

/** The era is decided by the first request that shows one, in the order of the lines, and never changes. */
export class EraGate {
  #era: 'open' | 'legacy' | 'modern' = 'open'

  judge(request: IncomingRequest): JudgedRequest {
    const { method, params } = request
    if (this.#era === 'legacy') return legacy
    if (!hasClaim(params)) {
      if (this.#era === 'open') return this.#become('legacy', legacy)
      // A client that begins anew: it learns what is spoken here by now.
      return method === 'initialize'
        ? unsupportedVersion(member(params, 'protocolVersion'))
        : readModernRequest(request)
    }
    const judged = readModernRequest(request)
    // Who only looks what is spoken here may still go on with a handshake.
    return judged.kind === 'error' || method === 'server/discover' ? judged : this.#become('modern', judged)
  }

  #become(era: 'legacy' | 'modern', judged: JudgedRequest): JudgedRequest {
    this.#era = era
    return judged
  }
}
