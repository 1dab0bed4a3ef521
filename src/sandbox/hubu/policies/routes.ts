// POST /policies and the five ways to look at policies.
import { stringify } from 'yaml'
import { ownedAgent } from '../agents/agents.ts'
import { readFields } from '../json/fields.ts'
import { RawJson, type Writable } from '../json/write.ts'
import { Refusal, required } from '../refusal.ts'
import { change, read, type Call, type Route } from '../route.ts'
import { writeInstant, writeInstantZulu, type Instant } from '../time/instant.ts'
import { applyPolicy } from './apply.ts'
import { changedPaths } from './diff.ts'
import * as stored from './policies.ts'
import { decodePolicy, type Policy } from './policy.ts'
import { readPolicyYaml } from './read-yaml.ts'
import { starterPolicy } from './starter.ts'
import { validatePolicy } from './validate.ts'

const keys = [
  'policy_yaml',
  'daily_limit_cents',
  'agent_id',
  'declarative_key',
  'display_name',
  'expected_revision',
  'expected_hash',
  'source',
]

/** The routes about policies. */
export const policyRoutes: readonly Route[] = [
  change('/policies', (call) => apply(call)),
  read('/policies', ({ hubu, owner }) => ({
    policies: stored
      .policiesOf(hubu.rows, owner.id)
      .flatMap((policy) => rowsOf(stored.assignmentsOf(hubu.rows, policy.id), policy)),
  })),
  read('/policies/show', (call) => show(call, selected(call))),
  read('/policies/export', (call) => {
    const policy = selected(call)
    return { ...show(call, policy), policy_yaml: exportYaml(decodePolicy(policy.payload)) }
  }),
  read('/policies/history', (call) => history(call, selected(call))),
  read('/policies/diff', (call) => diff(call, selected(call))),
]

function apply({ hubu, owner, body }: Call): Writable {
  const fields = readFields(body(), { keys })
  const yaml = fields.optionalText('policy_yaml')
  const limit = fields.optionalInteger('daily_limit_cents')
  const agentPublicId = fields.optionalText('agent_id')
  const expectedRevision = fields.optionalInteger('expected_revision')
  if (expectedRevision !== undefined && expectedRevision < 0n)
    throw new Refusal('expected_revision must not be negative')
  const agent = agentPublicId === undefined ? undefined : ownedAgent(hubu.rows, owner, agentPublicId)
  const policy =
    yaml !== undefined
      ? readPolicyYaml(yaml, owner.id)
      : starterPolicy(required(limit, 'policy_yaml or daily_limit_cents is required'), agentPublicId, owner.id)
  validatePolicy(policy)
  const applied = applyPolicy(hubu, owner, {
    policy,
    agentId: agent?.id,
    declarativeKey: fields.optionalText('declarative_key'),
    displayName: fields.optionalText('display_name'),
    expectedRevision,
    expectedHash: fields.optionalText('expected_hash'),
    source: fields.optionalText('source') ?? 'api',
  })
  return {
    scope: agent === undefined ? 'user_default' : 'agent_override',
    agent_id: agent?.public_id ?? null,
    policy_id: applied.stored.public_id,
    declarative_key: applied.stored.declarative_key,
    display_name: applied.stored.display_name,
    revision: applied.stored.revision,
    payload_hash: applied.stored.payload_hash,
    policy_version: policy.version,
    default_decision: policy.default_effect,
    changed: applied.changed,
    assignment_changed: applied.assignmentChanged,
  }
}

function rowsOf(assignments: readonly stored.Assignment[], policy: stored.StoredPolicy): Writable[] {
  const content = decodePolicy(policy.payload)
  const row = (scope: string, agentId: string | null, attachedAt: Instant, updatedAt: Instant) => ({
    scope,
    agent_id: agentId,
    policy_id: policy.public_id,
    declarative_key: policy.declarative_key,
    display_name: policy.display_name,
    revision: policy.revision,
    payload_hash: policy.payload_hash,
    policy_version: content.version,
    default_decision: content.default_effect,
    rules: content.rules.length,
    attached_at: writeInstant(attachedAt),
    updated_at: writeInstant(updatedAt),
  })
  if (assignments.length === 0) return [row('unassigned', null, policy.created_at, policy.updated_at)]
  return assignments.map((assignment) =>
    row(scopeName(assignment), assignment.agent_public_id, assignment.attached_at, assignment.updated_at),
  )
}

/** The policy that the query selects: by id or key, else by agent, else the owner's default. */
function selected({ hubu, owner, query }: Call): stored.StoredPolicy {
  const idOrKey = query.get('policy_id')
  const agentPublicId = query.get('agent_id')
  const found =
    idOrKey !== undefined
      ? stored.policyWithIdOrKey(hubu.rows, owner.id, idOrKey)
      : stored.policyOfScope(
          hubu.rows,
          owner.id,
          stored.scopeOf(agentPublicId === undefined ? undefined : ownedAgent(hubu.rows, owner, agentPublicId).id),
        )
  return required(found, 'no such policy')
}

function show({ hubu }: Call, policy: stored.StoredPolicy) {
  return {
    policy_id: policy.public_id,
    declarative_key: policy.declarative_key,
    display_name: policy.display_name,
    revision: policy.revision,
    payload_hash: policy.payload_hash,
    created_at: writeInstant(policy.created_at),
    updated_at: writeInstant(policy.updated_at),
    policy: new RawJson(policy.payload),
    assignments: stored.assignmentsOf(hubu.rows, policy.id).map((assignment) => ({
      scope: scopeName(assignment),
      agent_id: assignment.agent_public_id,
      attached_at: writeInstant(assignment.attached_at),
      updated_at: writeInstant(assignment.updated_at),
    })),
  }
}

function history({ hubu }: Call, policy: stored.StoredPolicy): Writable {
  return {
    policy_id: policy.public_id,
    revisions: stored.revisionsOf(hubu.rows, policy.id).map((revision) => ({
      policy_id: policy.public_id,
      revision: revision.revision,
      payload_hash: revision.payload_hash,
      policy: new RawJson(revision.payload),
      actor: revision.actor_public_id,
      source: revision.source,
      created_at: writeInstantZulu(revision.created_at),
    })),
    audit: stored.auditOf(hubu.rows, policy.id).map((event) => ({
      policy_id: policy.public_id,
      actor: event.actor_public_id,
      source: event.source,
      occurred_at: writeInstantZulu(event.occurred_at),
      old_hash: event.old_hash,
      new_hash: event.new_hash,
      affected_assignments: new RawJson(event.affected_assignments),
      action: event.action,
    })),
  }
}

function diff({ hubu, query }: Call, policy: stored.StoredPolicy): Writable {
  const revisions = stored.revisionsOf(hubu.rows, policy.id)
  const pick = (name: string, text: string | undefined) => {
    if (text === undefined || !/^\+?[0-9]{1,18}$/.test(text)) throw new Refusal(`${name} must be a revision number`)
    return required(
      revisions.find((revision) => revision.revision === BigInt(text.replace('+', ''))),
      `no such policy revision for ${name}`,
    )
  }
  const from = pick('from_revision', query.get('from_revision'))
  const to = pick('to_revision', query.get('to_revision') ?? String(policy.revision))
  return {
    policy_id: policy.public_id,
    from_revision: from.revision,
    to_revision: to.revision,
    from_hash: from.payload_hash,
    to_hash: to.payload_hash,
    changed_paths: changedPaths(decodePolicy(from.payload), decodePolicy(to.payload)),
    from: new RawJson(from.payload),
    to: new RawJson(to.payload),
  }
}

/** YAML that `POST /policies` takes back. */
function exportYaml(policy: Policy): string {
  return stringify(policy, { aliasDuplicateObjects: false, lineWidth: 0 })
}

function scopeName(assignment: stored.Assignment): string {
  return assignment.agent_id === null ? 'user_default' : 'agent_override'
}
