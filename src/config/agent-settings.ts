// One agent's settings, by its name on the command line.
import type { GatewayConfig } from '#generated/types/config.js'
import { ConfigError } from './config-error.ts'
import { parseSize } from './sizes.ts'

/** What restricts one agent; absent members restrict nothing, and an empty list is not an absent one. */
export interface AgentSettings {
  readonly name: string
  readonly servers?: readonly string[]
  readonly tools?: readonly string[]
  readonly pin?: readonly string[]
  /** 0: no definition but those of the meta-tools. */
  readonly schemaBudgetBytes?: number
}

/** The settings of a named agent. Throws ConfigError for a name that the file does not have. */
export function readAgent(gateway: GatewayConfig | undefined, name: string): AgentSettings {
  const agents = gateway?.agents ?? {}
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (agent === undefined) {
    const known = Object.keys(agents).slice(0, 10)
    throw new ConfigError(
      known.length === 0
        ? '--agent names an agent, but the config file has none'
        : `--agent names no agent of the config file; it has ${known.join(', ')}`,
    )
  }
  const { servers, tools, pin, tool_schema_budget: budget } = agent
  const schemaBudgetBytes = budget === undefined ? undefined : parseSize(String(budget))
  return {
    name,
    ...(servers && { servers }),
    ...(tools && { tools }),
    ...(pin && { pin }),
    ...(schemaBudgetBytes !== undefined && { schemaBudgetBytes }),
  }
}
