// This room answers who is really calling: trusted metadata in, model-authored imitations out.
import { isPlatformInvocation, isPurchaseConfirmation } from '#generated/validators/router.js'
import { RouterError } from '../errors/router-error.ts'
import { isObject } from '../json/read.ts'
import { identifierLimitBytes, isBoundedText, isPlatformName } from './bounds.ts'

/** The trusted identity of one harness call, checked. Never shown to the agent. */
export interface CallIdentity {
  platform: string
  harnessCallId: string
  codexCallId: string | null
  claudeToolUseId: string | null
  hubuInvocationId: string | null
  /** A diagnostic alias: stored once, never compared. */
  controlledInstallationId: string | null
  taskId: string | null
}

/** The three sources of identity in `_meta`. */
const identityMembers = ['callId', 'claudecode/toolUseId', 'hubu.dev/platform-invocation'] as const

type Source = (typeof identityMembers)[number]

/** Says in `_meta` that a purchase which equals an earlier one is meant. */
const confirmationMember = 'hubu.dev/purchase'

/** What a harness says of a spend in `_meta`; these members never leave the process. */
export const trustedMembers: readonly string[] = [...identityMembers, confirmationMember]

/**
 * Reads the one trusted identity of a spend call from `_meta`; null where the router names calls itself and the harness did not.
 * Only what is missing is filled in, never a mistake: throws `identity_missing`, `identity_ambiguous` or `identity_invalid`; no
 * message repeats a value.
 */
export function readCallIdentity(
  meta: unknown,
  mode: 'harness' | 'guarded' | 'replace' = 'harness',
): CallIdentity | null {
  const sources = isObject(meta) ? identityMembers.filter((name) => Object.hasOwn(meta, name)) : []
  const source = sources[0]
  if (!isObject(meta) || source === undefined) {
    if (mode !== 'harness') return null
    throw new RouterError(
      'identity_missing',
      'The harness sent no call identity, so this spend cannot be made exactly once. The client must send its call id in _meta ' +
        '(callId, claudecode/toolUseId or hubu.dev/platform-invocation); the model cannot supply it. For a client that sends none, ' +
        'whoever runs this router can set HUBU_UNIFIED_IDENTITY=guarded (agents.NAME.identity in its configuration file), so that ' +
        'the router names the calls itself. That is for the operator to decide, not for the model.',
    )
  }
  if (sources.length > 1) {
    throw new RouterError(
      'identity_ambiguous',
      'The harness sent more than one call identity in _meta. The client must send exactly one.',
    )
  }
  const identity = readers[source](meta[source])
  return mode === 'replace' ? null : identity
}

/**
 * The handle of the earlier operation beside which the harness says that this purchase is meant; undefined where it says nothing.
 * Throws `identity_invalid`: it has the standing of an identity.
 */
export function readConfirmation(meta: unknown): string | undefined {
  if (!isObject(meta) || !Object.hasOwn(meta, confirmationMember)) return undefined
  const value = meta[confirmationMember]
  if (!isPurchaseConfirmation(value)) throw invalid()
  return value.confirms
}

const readers: Record<Source, (value: unknown) => CallIdentity> = {
  callId: (value) => {
    const id = boundedId(value)
    return { ...noAliases, platform: 'codex', harnessCallId: id, codexCallId: id }
  },
  'claudecode/toolUseId': (value) => {
    const id = boundedId(value)
    return { ...noAliases, platform: 'claude-code', harnessCallId: id, claudeToolUseId: id }
  },
  'hubu.dev/platform-invocation': (value) => {
    if (!isPlatformInvocation(value) || !isPlatformName(value.platform)) throw invalid()
    const id = boundedId(value.invocation_id)
    return {
      ...noAliases,
      platform: value.platform,
      harnessCallId: id,
      hubuInvocationId: id,
      controlledInstallationId: optionalId(value.installation_id),
      taskId: optionalId(value.task_id),
    }
  },
}

const noAliases = {
  codexCallId: null,
  claudeToolUseId: null,
  hubuInvocationId: null,
  controlledInstallationId: null,
  taskId: null,
}

function boundedId(value: unknown): string {
  if (typeof value !== 'string' || !isBoundedText(value, identifierLimitBytes)) throw invalid()
  return value
}

function optionalId(value: unknown): string | null {
  return value === undefined || value === null ? null : boundedId(value)
}

function invalid(): RouterError {
  return new RouterError(
    'identity_invalid',
    'The call identity in _meta is malformed: wrong type, unknown or missing member, or out of bounds. The client must correct it.',
  )
}
