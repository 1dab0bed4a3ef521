// Declarative apply and assign.
import { drawIds, type Hubu } from '../hubu.ts'
import { Refusal } from '../refusal.ts'
import type { Instant } from '../time/instant.ts'
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
  /** Audit label. */
  source: string
}

/** What came of it. */
export interface Applied {
  stored: StoredPolicy
  changed: boolean
  assignmentChanged: boolean
}

/** Who applies what, when. */
interface Applying {
  hubu: Hubu
  owner: User
  application: Application
  now: Instant
}

/**
 * Appends a revision if the content differs from the current one, renames if the name does, and points the scope at the
 * resource. Throws a 400 for a bad key or name and for a compare-and-set miss, before anything changes.
 */
export function applyPolicy(hubu: Hubu, owner: User, application: Application): Applied {
  const applying: Applying = { hubu, owner, application, now: hubu.now() }
  const key = readKey(application)
  const displayName = readDisplayName(application, key)
  const present = policyWithKey(hubu.rows, owner.id, key)
  compareAndSet(application, present)

  const payload = encodePolicy(application.policy)
  const hash = payloadHash(payload)
  const contentChanged = present?.payload_hash !== hash
  const renamed = present !== undefined && present.display_name !== displayName
  const revision = contentChanged ? (present?.revision ?? 0n) + 1n : present.revision
  const content = { display_name: displayName, revision, payload_hash: hash, payload }
  const id = present?.id ?? insertResource(applying, key, content)
  if (present !== undefined && (contentChanged || renamed)) updateResource(applying, id, content)
  if (contentChanged) insertRevision(applying, id, content)
  const assignmentChanged = assign(applying, id)
  const changed = contentChanged || renamed || assignmentChanged
  if (changed) {
    const action = contentChanged ? 'applied' : renamed ? 'renamed' : 'assigned'
    audit(applying, id, { oldHash: present?.payload_hash ?? null, newHash: hash, action, affects: assignmentChanged })
  }
  return { stored: policyById(hubu.rows, id), changed, assignmentChanged }
}

type Content = Pick<StoredPolicy, 'display_name' | 'revision' | 'payload_hash' | 'payload'>

function readKey({ declarativeKey, policy }: Application): string {
  const key = (declarativeKey ?? policy.id).trim()
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(key))
    throw new Refusal('declarative_key must be 1 to 128 characters of A-Z, a-z, 0-9, _, - and .')
  return key
}

function readDisplayName({ displayName }: Application, key: string): string {
  const name = (displayName ?? key).trim()
  if (name === '') throw new Refusal('display_name must not be blank')
  return name
}

function compareAndSet({ expectedRevision, expectedHash }: Application, present: StoredPolicy | undefined): void {
  if (expectedRevision === undefined && expectedHash === undefined) return
  const matches =
    present !== undefined &&
    (expectedRevision === undefined || expectedRevision === present.revision) &&
    (expectedHash === undefined || expectedHash === present.payload_hash)
  if (!matches) throw new Refusal('policy compare-and-set failed: the current revision or hash is another one')
}

function insertResource({ hubu, owner, now }: Applying, key: string, content: Content): string {
  const { rows } = hubu
  const ids = drawIds(hubu, 'policies', 'pol')
  rows.insert('policies', {
    ...ids,
    owner_id: owner.id,
    declarative_key: key,
    ...content,
    created_at: now,
    updated_at: now,
  })
  return ids.id
}

function updateResource({ hubu, now }: Applying, id: string, content: Content): void {
  hubu.rows.run(
    'update policies set display_name = ?, revision = ?, payload_hash = ?, payload = ?, updated_at = ? where id = ?',
    content.display_name,
    content.revision,
    content.payload_hash,
    content.payload,
    now,
    id,
  )
}

function insertRevision({ hubu, owner, application, now }: Applying, policyId: string, content: Content): void {
  hubu.rows.insert('policy_revisions', {
    policy_id: policyId,
    revision: content.revision,
    payload_hash: content.payload_hash,
    payload: content.payload,
    actor_id: owner.id,
    source: application.source,
    created_at: now,
  })
}

/** Points the application's scope at a policy; says whether it pointed elsewhere before. */
function assign(applying: Applying, policyId: string): boolean {
  const { hubu, owner, application, now } = applying
  const { rows } = hubu
  const scope = scopeOf(application.agentId)
  const before = assignmentOfScope(rows, owner.id, scope)
  if (before?.policy_id === policyId) return false
  if (before === undefined) {
    rows.insert('policy_assignments', {
      owner_id: owner.id,
      scope,
      policy_id: policyId,
      agent_id: application.agentId ?? null,
      attached_at: now,
      updated_at: now,
    })
    return true
  }
  const { payload_hash: hash } = policyById(rows, before.policy_id)
  audit(applying, before.policy_id, { oldHash: hash, newHash: hash, action: 'unassigned', affects: true })
  rows.run(
    'update policy_assignments set policy_id = ?, updated_at = ? where owner_id = ? and scope = ?',
    policyId,
    now,
    owner.id,
    scope,
  )
  return true
}

function audit(
  { hubu, owner, application, now }: Applying,
  policyId: string,
  event: { oldHash: string | null; newHash: string; action: string; affects: boolean },
): void {
  hubu.rows.insert('policy_audit', {
    policy_id: policyId,
    actor_id: owner.id,
    source: application.source,
    occurred_at: now,
    old_hash: event.oldHash,
    new_hash: event.newHash,
    affected_assignments: JSON.stringify(event.affects ? [scopeOf(application.agentId)] : []),
    action: event.action,
  })
}
