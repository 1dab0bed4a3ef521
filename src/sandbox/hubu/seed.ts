// Puts one human, one agent, a policy and a budget into a Hubu, so that an agent can spend in the first minute.
import { addAgent, agentWithIdentity } from './agents/agents.ts'
import { simpleRegistration } from './agents/registration.ts'
import { addBudget, budgetsOf } from './budgets/budgets.ts'
import { positiveCents } from './money.ts'
import { applyPolicy } from './policies/apply.ts'
import { policyOfScope, scopeOf } from './policies/policies.ts'
import { readPolicyYaml } from './policies/read-yaml.ts'
import { validatePolicy } from './policies/validate.ts'
import { openHubu, type HubuOptions } from './server.ts'
import { addUser, ensureOwner, selectOwner, userNamed } from './users/users.ts'

/** What a new sandbox is to hold. The policy becomes the agent's own; the budget has no end. */
export interface Seed {
  username: string
  agentName: string
  policyYaml: string
  budgetCents: number
}

/** Public ids of what the sandbox holds. */
export interface Seeded {
  userId: string
  agentId: string
  accountId: string
  policyId: string
  budgetId: string
}

/**
 * Adds what is missing in one transaction and returns the ids; what is there already stays as it is, also if somebody
 * changed it since. The human becomes the current owner only when it is created here. Works on the file of a Hubu that
 * runs, and of one that does not. Rejects with a Refusal for an unusable name, policy or amount.
 */
export async function seedHubu(
  state: Pick<HubuOptions, 'databasePath' | 'stamp' | 'now' | 'randomUuid'>,
  wanted: Seed,
): Promise<Seeded> {
  const { hubu, close } = openHubu(state)
  const { rows } = hubu
  try {
    return rows.immediately(() => {
      ensureOwner(hubu)
      let user = userNamed(rows, wanted.username)
      if (user === undefined) {
        user = addUser(hubu, { username: wanted.username, displayName: wanted.username })
        selectOwner(rows, user)
      }
      const { productVersion } = hubu.stamp
      const registration = simpleRegistration(wanted.agentName, 'sandbox', user.public_id, productVersion)
      const agent =
        agentWithIdentity(rows, user.id, registration.identityFingerprint) ?? addAgent(hubu, user, registration).agent
      let policy = policyOfScope(rows, user.id, scopeOf(agent.id))
      if (policy === undefined) {
        const authored = readPolicyYaml(wanted.policyYaml, user.id)
        validatePolicy(authored)
        policy = applyPolicy(hubu, user, { policy: authored, agentId: agent.id, source: 'sandbox' }).stored
      }
      const budgets = budgetsOf(rows, user.id).filter((budget) => budget.agent_id === agent.id)
      const budget =
        budgets.find(({ status }) => status === 'active') ??
        budgets.at(-1) ??
        addBudget(hubu, agent, positiveCents(BigInt(wanted.budgetCents), 'budgetCents'), {
          starting_at: hubu.now(),
          ending_before: null,
        })
      return {
        userId: user.public_id,
        agentId: agent.public_id,
        accountId: agent.account_public_id,
        policyId: policy.public_id,
        budgetId: budget.public_id,
      }
    })
  } finally {
    close()
  }
}
