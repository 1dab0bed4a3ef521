import type { HubuClient } from '../backends/hubu/client.ts'
import { toHubuRequest } from '../backends/hubu/request.ts'
import type { ToolEntry } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import type { HubuReply } from '../backends/hubu/response.ts'
import { boundedReason } from '../redaction/error-text.ts'
import { hidePrivateKeys } from '../redaction/private-operation.ts'
import { redactErrorText } from '../redaction/replace.ts'
import type { ReconciliationCapability, Secret } from '../redaction/secret.ts'
import type { Cause, Monitor } from '../capabilities/monitor.ts'
import { backendError } from './capability-gate.ts'
import { relayHubuAnswer } from '../answers/relay.ts'
import type { RelayedResult } from '../answers/relayed-result.ts'

export interface HubuCallOptions {
  hubu: HubuClient
  monitor: Pick<Monitor, 'ticket' | 'markHubuUnavailable'>
  /** What must not show in Hubu's error texts. */
  secrets: readonly Secret[]
  /** Read at each reconciliation call. */
  reconciliation(): ReconciliationCapability
}

/** A Hubu call that is no spend, admitted. */
export interface AdmittedHubuCall {
  entry: ToolEntry
  args: Record<string, unknown>
  /** Ends a read whose client has gone; a mutation goes on. */
  signal: AbortSignal
  cause: Cause
}

/** Exactly one request to Hubu, its answer passed on as Hubu said it. */
export function createHubuCall(options: HubuCallOptions): (call: AdmittedHubuCall) => Promise<RelayedResult> {
  return async ({ entry, args, signal, cause }) => {
    const capability = needsCapability(entry) ? requireCapability(options.reconciliation()) : undefined
    const request = toHubuRequest(entry.name, args, { reconciliationCapability: capability })
    const ticket = options.monitor.ticket()
    const reply = await options.hubu.send(request, request.method === 'GET' ? { signal } : {})
    switch (reply.kind) {
      case 'success':
        return relayHubuAnswer(hidePrivateKeys(reply.text))
      case 'unavailable':
        options.monitor.markHubuUnavailable(cause, ticket)
        throw backendError('backend_unavailable', entry, reply.cause)
      case 'cancelled':
        throw backendError('backend_unavailable', entry)
      case 'ambiguous':
        throw new RouterError(
          'hubu_result_ambiguous',
          `Hubu may have carried out ${entry.name}, but its answer was ${reply.isTooLarge ? 'too large to be read' : 'lost or unusable'}. Read the present state before you do anything again.`,
          { cause: reply.cause },
        )
      case 'invalid_response':
        throw new RouterError(
          'hubu_response_invalid',
          reply.isTooLarge
            ? `Hubu answered ${entry.name} with more than the 64 MiB that are read. Ask for less at once.`
            : `Hubu answered ${entry.name} with something that is not JSON. Try again later.`,
        )
      case 'application_error':
        throw applicationError(reply, capability === undefined ? options.secrets : [...options.secrets, capability])
    }
  }
}

function needsCapability(entry: ToolEntry): boolean {
  return (
    entry.name === 'hubu_reconcile_vendor_billed_claim' || entry.name === 'hubu_reconcile_vendor_did_not_bill_claim'
  )
}

function requireCapability(found: ReconciliationCapability): Secret {
  switch (found.kind) {
    case 'capability':
      return found.secret
    case 'missing':
      throw new RouterError(
        'reconciliation_capability_missing',
        'Reconciliation needs a capability of its own. The operator must set HUBU_RECONCILIATION_TOKEN or its file form.',
      )
    case 'invalid':
      throw new RouterError(
        'reconciliation_capability_invalid',
        'The reconciliation capability is blank or cannot be read. The operator must correct HUBU_RECONCILIATION_TOKEN or its file.',
      )
  }
}

/** Hubu's own verdict: its status and its text without our secrets and without private keys, if long its beginning. */
export function applicationError(
  reply: HubuReply & { kind: 'application_error' },
  secrets: readonly Secret[],
  privateKeys: readonly string[] = [],
): RouterError {
  const said =
    reply.errorText === undefined
      ? 'It gave no reason.'
      : boundedReason(hidePrivateKeys(redactErrorText(reply.errorText, secrets, privateKeys)))
  return new RouterError('hubu_application_error', `Hubu refused the request with status ${reply.status}: ${said}`)
}
