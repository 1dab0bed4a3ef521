// Whether protected tools may be trusted to a client. Pure.
import { ClientConfigError } from '../client-config-error.ts'
import { type Approvals } from '../clients/client.ts'
import { showObstacles } from '../clients/obstacle.ts'
import { type InitRequest } from './request.ts'

/** The answer; a refusal means that nothing may be written. */
export interface TrustDecision {
  trusted: boolean
  refusal?: string
}

/**
 * Decides about `--trust-client-approval`. Throws `trust_refused` with exit code 2 where the flag alone is not enough for
 * that client; a refusal that comes from the client's present settings is returned, so that the plan can still be shown.
 */
export function decideTrust(
  { client, trust, trustsThatItAsks }: Pick<InitRequest, 'client' | 'trust' | 'trustsThatItAsks'>,
  approvals: Approvals,
): TrustDecision {
  if (!trust) return { trusted: false }
  const { bypass } = client.approval
  switch (client.approval.class) {
    case 'cannot':
      throw refused(
        `${client.title} cannot be trusted to ask a person: ${bypass} Run init again without --trust-client-approval.`,
      )
    case 'native':
      if (!trustsThatItAsks) {
        throw refused(
          `${client.title} asks by itself, and no setting of ours can hold it to that. ${bypass} ` +
            'If you know that it asks, add --i-know-the-client-asks.',
        )
      }
      break
    case 'pinned':
      break
  }
  const obstacles = approvals.trustObstacles?.() ?? []
  return obstacles.length === 0 ? { trusted: true } : { trusted: false, refusal: showObstacles(obstacles) }
}

function refused(message: string): ClientConfigError {
  return new ClientConfigError('trust_refused', message, { exitCode: 2 })
}
