// POST /agents/register and GET /agents.
import { change, read, type Route } from '../route.ts'
import { writeInstant } from '../time/instant.ts'
import { allUsers } from '../users/users.ts'
import { addAgent, agentsOf } from './agents.ts'
import { readRegistration } from './registration.ts'

/** The routes about agents. */
export const agentRoutes: readonly Route[] = [
  change('/agents/register', ({ hubu, owner, body }) => {
    const registration = readRegistration(body(), owner.public_id, hubu.stamp.productVersion)
    const { agent, versionPublicId, sessionPublicId } = addAgent(hubu, owner, registration)
    return {
      user_id: owner.public_id,
      agent_id: agent.public_id,
      agent_pub_id: agent.public_id,
      version_id: versionPublicId,
      account_id: agent.account_public_id,
      session_id: sessionPublicId,
    }
  }),
  read('/agents', ({ hubu, owner, query }) => {
    const users = query.flag('all') ? allUsers(hubu.rows) : [owner]
    return {
      agents: users.flatMap((user) =>
        agentsOf(hubu.rows, user.id).map((agent) => ({
          agent_id: agent.public_id,
          display_name: agent.display_name,
          description: agent.description,
          owner_user_id: user.public_id,
          owner_username: user.username,
          agent_type: agent.agent_type,
          status: agent.status,
          account_id: agent.account_public_id,
          account_status: agent.account_status,
          created_at: writeInstant(agent.created_at),
        })),
      ),
    }
  }),
]
