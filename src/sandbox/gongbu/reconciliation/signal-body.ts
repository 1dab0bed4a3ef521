// Pure: the body of an operator signal.
import { canonicalText, isObject } from '../json/canonical.ts'
import { decodeMembers, isInteger } from '../admission/request-body.ts'
import { redacted } from '../admission/sensitive.ts'
import type { OperatorAction, OperatorActionName } from './store.ts'

/** A signal, and its evidence as it may be stored. */
export interface Signal extends OperatorAction {
  redactedEvidence: string
}

const actions: readonly OperatorActionName[] = ['reinspect', 'settle', 'release']

/** The signal, or undefined when the body is not exactly one. */
export function decodeSignal(body: Uint8Array): Signal | undefined {
  const object = decodeMembers(body, ['schema_version', 'action_id', 'action', 'evidence'])
  if (object === undefined || !isInteger(object.get('schema_version'), 1n)) return undefined
  const actionId = object.get('action_id')
  const action = actions.find((one) => one === object.get('action'))
  const evidence = object.get('evidence')
  if (typeof actionId !== 'string' || actionId.trim() === '' || action === undefined || !isObject(evidence))
    return undefined
  return {
    actionId,
    action,
    evidence: canonicalText(evidence),
    redactedEvidence: canonicalText(redacted(evidence)),
  }
}
