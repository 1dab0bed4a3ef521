// This room answers who is really calling: trusted metadata in, model-authored imitations out.
import { isPlatformInvocation } from '#generated/validators/router.js'
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

/** The three sources of identity in `_meta`; these members never leave the process. */
export const identityMembers = ['callId', 'claudecode/toolUseId', 'hubu.dev/platform-invocation'] as const

type Source = (typeof identityMembers)[number]

/**
 * Reads the one trusted identity of a spend call from `_meta`. Throws `identity_missing`, `identity_ambiguous` or
 * `identity_invalid`; no message repeats a value.
 */
export function readCallIdentity(meta: unknown): CallIdentity {
  const sources = isObject(meta) ? identityMembers.filter((name) => Object.hasOwn(meta, name)) : []
  const source = sources[0]
  if (!isObject(meta) || source === undefined) {
    throw new RouterError(
      'identity_missing',
      'The harness sent no call identity, so this spend cannot be made exactly once. The client must send its call id in _meta ' +
        '(callId, claudecode/toolUseId or hubu.dev/platform-invocation); the model cannot supply it.',
    )
  }
  if (sources.length > 1) {
    throw new RouterError(
      'identity_ambiguous',
      'The harness sent more than one call identity in _meta. The client must send exactly one.',
    )
  }
  return readers[source](meta[source])
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
