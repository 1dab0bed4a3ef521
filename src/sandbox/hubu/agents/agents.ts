// Agents and their spending accounts.
import { drawIds, type Hubu } from '../hubu.ts'
import { Refusal, required } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import type { Instant } from '../time/instant.ts'
import type { User } from '../users/users.ts'

/** An agent with its one account. */
export interface Agent {
  id: string
  public_id: string
  owner_id: string
  display_name: string
  description: string | null
  agent_type: string
  status: string
  created_at: Instant
  account_id: string
  account_public_id: string
  account_status: string
}

/** What a checked registration says (agents/registration.ts). */
export interface Registration {
  identityFingerprint: string
  versionFingerprint: string
  versionLabel: string
  /** The version payload as canonical JSON. */
  versionPayload: string
  displayName: string
  description: string
}

/** Ids that a registration hands out. */
export interface Registered {
  agent: Agent
  versionPublicId: string
  sessionPublicId: string
}

const selectAgents = `select agents.id, agents.public_id, owner_id, display_name, description, agent_type, agents.status,
  created_at, agent_accounts.id as account_id, agent_accounts.public_id as account_public_id,
  agent_accounts.status as account_status
  from agents join agent_accounts on agent_accounts.agent_id = agents.id`

/** One human's agents in creation order. */
export function agentsOf(rows: Rows, ownerId: string): Agent[] {
  return rows.all<Agent>(`${selectAgents} where owner_id = ? order by created_at, agents.sequence`, ownerId)
}

/** The owner's agent with a public id; a 400 for a malformed, unknown or foreign one. */
export function ownedAgent(rows: Rows, owner: User, agentPublicId: string): Agent {
  const agent = rows.get<Agent>(`${selectAgents} where agents.public_id = ? and owner_id = ?`, agentPublicId, owner.id)
  return required(agent, 'no such agent')
}

/** The agent with an internal id. */
export function agentById(rows: Rows, id: string): Agent {
  const agent = rows.get<Agent>(`${selectAgents} where agents.id = ?`, id)
  if (agent === undefined) throw new Error('a stored agent is missing')
  return agent
}

/** The owner's agent behind an active account; a 400 for an unknown, foreign or suspended one. */
export function agentOfAccount(rows: Rows, owner: User, accountPublicId: string): Agent {
  const agent = rows.get<Agent>(`${selectAgents} where agent_accounts.public_id = ?`, accountPublicId)
  if (agent === undefined || agent.owner_id !== owner.id) throw new Refusal('no such agent account')
  if (agent.account_status !== 'active' || agent.status !== 'active') throw new Refusal('agent account is not active')
  return agent
}

/** The owner's agent with an identity digest. */
export function agentWithIdentity(rows: Rows, ownerId: string, fingerprint: string): Agent | undefined {
  return rows.get<Agent>(`${selectAgents} where owner_id = ? and identity_fingerprint = ?`, ownerId, fingerprint)
}

/** Creates an agent, its version, its account and a session. A 400 when the identity is registered for the owner already. */
export function addAgent(hubu: Hubu, owner: User, registration: Registration): Registered {
  const { rows } = hubu
  if (agentWithIdentity(rows, owner.id, registration.identityFingerprint) !== undefined)
    throw new Refusal('agent is already registered for this owner')
  const now = hubu.now()
  const agent = drawIds(hubu, 'agents', 'agt')
  rows.insert('agents', {
    ...agent,
    owner_id: owner.id,
    identity_fingerprint: registration.identityFingerprint,
    display_name: registration.displayName,
    description: registration.description,
    agent_type: 'agent',
    status: 'active',
    created_at: now,
  })
  const version = drawIds(hubu, 'agent_versions', 'agv')
  rows.insert('agent_versions', {
    ...version,
    agent_id: agent.id,
    fingerprint: registration.versionFingerprint,
    label: registration.versionLabel,
    payload: registration.versionPayload,
    created_at: now,
  })
  rows.insert('agent_accounts', { ...drawIds(hubu, 'agent_accounts', 'aga'), agent_id: agent.id, status: 'active' })
  const session = drawIds(hubu, 'agent_sessions', 'ags')
  rows.insert('agent_sessions', { ...session, agent_id: agent.id, version_id: version.id, created_at: now })
  return {
    agent: agentById(rows, agent.id),
    versionPublicId: version.public_id,
    sessionPublicId: session.public_id,
  }
}
