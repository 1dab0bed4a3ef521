// Declarative apply and assign (H 3.9, 4.3).
import { agentById } from '../agents/agents.ts'
import { drawUuid, type Hubu } from '../hubu.ts'
import { publicId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { User } from '../users/users.ts'
import { assignmentOfScope, policyById, policyWithKey, scopeOf, type StoredPolicy } from './policies.ts'
import { encodePolicy, payloadHash, type Policy } from './policy.ts'

/** What is to hold. Key and name are checked here. */
export interface Application {
  policy: Policy
  /** Internal id; without it the policy becomes the owner's default. */
  agentId?: string
  declarativeKey?: string
  displayName?: string
  expectedRevision?: bigint
  expectedHash?: string
  source: string
}

/** What came of it. */
export interface Applied {
  stored: StoredPolicy
  changed: boolean
  assignmentChanged: boolean
}

/**
 * Appends a revision if the content differs from the current one, renames if the name does, and points the scope at the
 * resource. Throws a 400 for a bad key or name and for a compare-and-set miss, before anything changes.
 */
export function applyPolicy(hubu: Hubu, owner: User, application: Application): Applied {
  const { rows } = hubu
  const key = (application.declarativeKey ?? application.policy.id).trim()
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(key))
    throw new Refusal('declarative_key must be 1 to 128 characters of A-Z, a-z, 0-9, _, - and .')
  const displayName = (application.displayName ?? key).trim()
  if (displayName === '') throw new Refusal('display_name must not be blank')
  const present = policyWithKey(rows, owner.id, key)
  const { expectedRevision, expectedHash } = application
  if (expectedRevision !== undefined || expectedHash !== undefined) {
    const matches =
      present !== undefined &&
      (expectedRevision === undefined || expectedRevision === present.revision) &&
      (expectedHash === undefined || expectedHash === present.payload_hash)
    if (!matches) throw new Refusal('policy compare-and-set failed: the current revision or hash is another one')
  }

  const now = hubu.now()
  const payload = encodePolicy(application.policy)
  const hash = payloadHash(payload)
  const contentChanged = present?.payload_hash !== hash
  const renamed = present !== undefined && present.display_name !== displayName
  const revision = contentChanged ? (present?.revision ?? 0n) + 1n : present.revision
  const id = present?.id ?? addResource()
  if (present !== undefined && (contentChanged || renamed))
    rows.run(
      'update policies set display_name = ?, revision = ?, payload_hash = ?, payload = ?, updated_at = ? where id = ?',
      ...[displayName, revision, hash, payload, now, id],
    )
  if (contentChanged)
    rows.insert('policy_revisions', {
      ...{ policy_id: id, revision, payload_hash: hash, payload },
      ...{ actor_id: owner.id, source: application.source, created_at: now },
    })
  const assignmentChanged = assign()
  const changed = contentChanged || renamed || assignmentChanged
  if (changed)
    audit(
      id,
      present?.payload_hash ?? null,
      hash,
      contentChanged ? 'applied' : renamed ? 'renamed' : 'assigned',
      assignmentChanged,
    )
  return { stored: policyById(rows, id), changed, assignmentChanged }

  function addResource(): string {
    const taken = (uuid: string) =>
      rows.get('select 1 from policies where public_id = ?', publicId('pol', uuid)) !== undefined
    const drawn = drawUuid(hubu, taken)
    rows.insert('policies', {
      ...{ id: drawn, public_id: publicId('pol', drawn), owner_id: owner.id, declarative_key: key },
      ...{ display_name: displayName, revision, payload_hash: hash, payload, created_at: now, updated_at: now },
    })
    return drawn
  }

  function assign(): boolean {
    const scope = scopeOf(application.agentId)
    const before = assignmentOfScope(rows, owner.id, scope)
    if (before?.policy_id === id) return false
    if (before !== undefined) {
      const loser = policyById(rows, before.policy_id)
      audit(loser.id, loser.payload_hash, loser.payload_hash, 'unassigned', true)
      rows.run(
        'update policy_assignments set policy_id = ?, updated_at = ? where owner_id = ? and scope = ?',
        ...[id, now, owner.id, scope],
      )
      return true
    }
    rows.insert('policy_assignments', {
      ...{ owner_id: owner.id, scope, policy_id: id, agent_id: application.agentId ?? null },
      ...{ attached_at: now, updated_at: now },
    })
    return true
  }

  function audit(policyId: string, oldHash: string | null, newHash: string, action: string, affects: boolean): void {
    rows.insert('policy_audit', {
      ...{ policy_id: policyId, actor_id: owner.id, source: application.source, occurred_at: now },
      ...{ old_hash: oldHash, new_hash: newHash, action },
      affected_assignments: JSON.stringify(affects ? [scopeOf(application.agentId)] : []),
    })
  }
}

/** The public form of an application's scope. */
export function publicScope(hubu: Hubu, agentId: string | undefined): { scope: string; agent_id: string | null } {
  return agentId === undefined
    ? { scope: 'user_default', agent_id: null }
    : { scope: 'agent_override', agent_id: agentById(hubu.rows, agentId).public_id }
}
