import { showObstacles } from '../client-configs/clients/obstacle.ts'
import type { LostTrust } from '../client-configs/init/lost-trust.ts'
import { failure, type Finding } from './finding.ts'

/** A client that may run protected tools without asking. The files named are those that a person has to change. */
export function checkTrust({ client, title, obstacles }: LostTrust): Finding {
  return failure(
    `client ${client}`,
    `${title} is trusted to ask a person before protected tools and may not: ${showObstacles(obstacles)}`,
    `Change what is named, or run: hubu-unified-mcp init ${client} --write`,
  )
}
