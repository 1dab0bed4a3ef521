// Stored policies, their revisions, assignments and audit.
import type { Rows } from '../rows.ts'
import type { Instant } from '../time/instant.ts'

/** A policy resource in its current revision. */
export interface StoredPolicy {
  id: string
  public_id: string
  owner_id: string
  declarative_key: string
  display_name: string
  revision: bigint
  payload_hash: string
  payload: string
  created_at: Instant
  updated_at: Instant
}

/** Where a policy applies. `scope` is `user_default:default` or `agent_override:<internal agent UUID>`. */
export interface Assignment {
  scope: string
  policy_id: string
  agent_id: string | null
  agent_public_id: string | null
  attached_at: Instant
  updated_at: Instant
}

/** One revision. */
export interface Revision {
  revision: bigint
  payload_hash: string
  payload: string
  actor_public_id: string
  source: string
  created_at: Instant
}

/** One audit event; `affected_assignments` is a JSON list of scopes. */
export interface AuditEvent {
  actor_public_id: string
  source: string
  occurred_at: Instant
  old_hash: string | null
  new_hash: string
  affected_assignments: string
  action: string
}

const selectAssignments = `select scope, policy_id, policy_assignments.agent_id, agents.public_id as agent_public_id,
  attached_at, updated_at from policy_assignments left join agents on agents.id = policy_assignments.agent_id`

/** The scope of an owner's default, or of one agent's override. */
export function scopeOf(agentId: string | undefined): string {
  return agentId === undefined ? 'user_default:default' : `agent_override:${agentId}`
}

/** The owner's policies by declarative key. */
export function policiesOf(rows: Rows, ownerId: string): StoredPolicy[] {
  return rows.all<StoredPolicy>('select * from policies where owner_id = ? order by declarative_key', ownerId)
}

/** The owner's policy with a declarative key. */
export function policyWithKey(rows: Rows, ownerId: string, key: string): StoredPolicy | undefined {
  return rows.get<StoredPolicy>('select * from policies where owner_id = ? and declarative_key = ?', ownerId, key)
}

/** The owner's policy with a public id or, failing that, a declarative key. */
export function policyWithIdOrKey(rows: Rows, ownerId: string, idOrKey: string): StoredPolicy | undefined {
  const byId = rows.get<StoredPolicy>('select * from policies where owner_id = ? and public_id = ?', ownerId, idOrKey)
  return byId ?? policyWithKey(rows, ownerId, idOrKey)
}

/** The policy with an internal id. */
export function policyById(rows: Rows, id: string): StoredPolicy {
  const policy = rows.get<StoredPolicy>('select * from policies where id = ?', id)
  if (policy === undefined) throw new Error('a stored policy is missing')
  return policy
}

/** The policy that a scope points at. */
export function policyOfScope(rows: Rows, ownerId: string, scope: string): StoredPolicy | undefined {
  const assignment = assignmentOfScope(rows, ownerId, scope)
  return assignment && policyById(rows, assignment.policy_id)
}

/** The one assignment of a scope. */
export function assignmentOfScope(rows: Rows, ownerId: string, scope: string): Assignment | undefined {
  return rows.get<Assignment>(
    `${selectAssignments} where policy_assignments.owner_id = ? and scope = ?`,
    ownerId,
    scope,
  )
}

/** The scopes that a policy serves; overrides before the default, in the order of their scopes. */
export function assignmentsOf(rows: Rows, policyId: string): Assignment[] {
  return rows.all<Assignment>(`${selectAssignments} where policy_id = ? order by scope`, policyId)
}

/** All revisions, oldest first. */
export function revisionsOf(rows: Rows, policyId: string): Revision[] {
  return rows.all<Revision>(
    `select revision, payload_hash, payload, users.public_id as actor_public_id, source, policy_revisions.created_at
     from policy_revisions join users on users.id = actor_id where policy_id = ? order by revision`,
    policyId,
  )
}

/** All audit events, oldest first. */
export function auditOf(rows: Rows, policyId: string): AuditEvent[] {
  return rows.all<AuditEvent>(
    `select users.public_id as actor_public_id, source, occurred_at, old_hash, new_hash, affected_assignments, action
     from policy_audit join users on users.id = actor_id where policy_id = ? order by policy_audit.sequence`,
    policyId,
  )
}
