// Pure: what can be executed.
import { createHash } from 'node:crypto'
import type { TargetKey } from '../executions/execution.ts'

/** How a target's provider acts. */
export type ProviderBehaviour =
  /** Renders deterministic images. */
  | 'fixture'
  /** Does what `input.options` says. */
  | 'scripted'
  /** Its outcome is always unknown. */
  | 'ambiguous'
  /** Never answers. */
  | 'hanging'

/** One revision of a target. Of one key at most one revision is active. */
export interface TargetSetting extends TargetKey {
  version: string
  behaviour: ProviderBehaviour
  /** Default true. */
  active?: boolean
  /** Default true. */
  executionEnabled?: boolean
}

/** A revision with the digest of its content. */
export interface Target extends TargetSetting {
  digest: string
}

/** The configured targets. */
export interface Targets {
  /** The revision that new work runs on, or undefined when the target is not selectable. */
  selectable(key: TargetKey): Target | undefined
  /** The very revision that an execution was admitted with, active or not. */
  pinned(key: TargetKey, version: string): Target | undefined
}

/** Reads the settings. Throws an Error when two active revisions or two equal versions share a key. */
export function readTargets(settings: readonly TargetSetting[]): Targets {
  const targets = settings.map((one) => ({ ...one, digest: digestOf(one) }))
  for (const one of targets) {
    const rivals = targets.filter((other) => sameKey(one, other))
    if (rivals.filter((other) => other.active !== false).length > 1)
      throw new Error(`two active revisions of target ${keyText(one)}`)
    if (rivals.some((other) => other !== one && other.version === one.version))
      throw new Error(`target ${keyText(one)} has a revision twice`)
  }
  return {
    selectable: (key) =>
      targets.find((one) => sameKey(one, key) && one.active !== false && one.executionEnabled !== false),
    pinned: (key, version) => targets.find((one) => sameKey(one, key) && one.version === version),
  }
}

/** Content only: switching a revision off does not make it another one. */
function digestOf(target: TargetSetting): string {
  const content = [target.workloadType, target.provider, target.adapter, target.model, target.version, target.behaviour]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

function keyText({ workloadType, provider, adapter, model }: TargetKey): string {
  return [workloadType, provider, adapter, model].join('/')
}

function sameKey(a: TargetKey, b: TargetKey): boolean {
  return (
    a.workloadType === b.workloadType && a.provider === b.provider && a.adapter === b.adapter && a.model === b.model
  )
}
