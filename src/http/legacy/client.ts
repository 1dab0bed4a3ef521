// What is known of the client of a legacy request: from its session id, or nothing.
import { protocol } from '#generated/protocol.js'
import type { ClientView } from '../../wire/request.ts'
import type { Session } from '../sessions/session-id.ts'

/** A client that says nothing speaks the first revision that HTTP was made for. */
const unsaidRevision = '2025-03-26'

/** The revision that the header names, when it is one with a handshake. */
export function legacyRevision(lines: readonly string[] | undefined): string | undefined {
  const said = lines?.length === 1 ? lines[0]!.trim() : undefined
  return protocol.supported.find((known) => known === said)
}

/** The header counts where it is there; then what was agreed on in the handshake. */
export function clientOf(session: Session | undefined, header: string | undefined, logLevel?: string): ClientView {
  return {
    era: 'legacy',
    revision: header ?? session?.revision ?? unsaidRevision,
    capabilities: session?.capabilities ?? {},
    name: session?.clientName ?? '',
    ...(logLevel !== undefined && { logLevel }),
  }
}
