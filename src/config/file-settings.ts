// What the config file decides, under the environment: read at the start, and again whenever the file changes.
import type { GatewayConfig } from '#generated/types/config.js'
import { ConfigError } from './config-error.ts'
import { environmentVariables as names } from './environment.ts'
import type { Place } from './paths.ts'
import { readResultsSettings, type ResultsSettings } from './results-settings.ts'
import { parseSize } from './sizes.ts'
import { readSpendSettings, spendKeysForRestart, type SpendSettings } from './spend-settings.ts'

/** What restricts one agent; absent members restrict nothing, and an empty list is not an absent one. */
export interface AgentSettings {
  readonly name: string
  readonly servers?: readonly string[]
  readonly tools?: readonly string[]
  readonly pin?: readonly string[]
  /** 0: no definition but those of the meta-tools. */
  readonly schemaBudgetBytes?: number
}

/** The part of a configuration that a config file has a say in. */
export interface FileSettings {
  readonly results: ResultsSettings
  readonly spend: SpendSettings
  /** Undefined: the contract surface. */
  readonly expose: 'all' | 'lazy' | undefined
  /** The config file as it stands; undefined when there is none. */
  readonly gateway: GatewayConfig | undefined
  /** Whom the gateway serves; undefined: anybody, without restrictions. */
  readonly agent: AgentSettings | undefined
}

/** What is known besides the environment. */
export interface Given {
  /** Where files belong; without it there is no default place for stored results. */
  place?: Place
  /** The config file, already checked. */
  gateway?: GatewayConfig
  /** `--agent NAME`. */
  agent?: string
  /** `--identity MODE`. */
  identity?: string
  /** The router of a sandbox, which brings its registry. */
  isSandbox?: boolean
}

/** Flags over environment over file over defaults. Throws ConfigError. */
export function readFileSettings(read: (name: string) => string | undefined, given: Given): FileSettings {
  const { gateway } = given
  return {
    results: readResultsSettings(read, given),
    spend: readSpendSettings(read, given),
    expose: readExpose(read(names.expose)) ?? gateway?.expose ?? (gateway && 'all'),
    gateway,
    agent: given.agent === undefined ? undefined : readAgent(gateway, given.agent),
  }
}

/** The keys whose change counts from the next start on: a client was told of stored results when it began. */
export function keysForRestart(started: FileSettings, changed: FileSettings): string[] {
  return [
    ...(started.results.budgetBytes === changed.results.budgetBytes ? [] : ['response_budget']),
    ...(started.results.imageBudgetBytes === changed.results.imageBudgetBytes ? [] : ['image_budget']),
    ...(started.results.verbatim === changed.results.verbatim ? [] : ['verbatim']),
    ...spendKeysForRestart(started.spend, changed.spend),
  ]
}

function readExpose(text: string | undefined): 'all' | 'lazy' | undefined {
  if (text === undefined || text === 'all' || text === 'lazy') return text
  throw new ConfigError(`${names.expose} must be all or lazy`)
}

/** The settings of a named agent. Throws ConfigError for a name that the file does not have. */
function readAgent(gateway: GatewayConfig | undefined, name: string): AgentSettings {
  const agent = agentIn(gateway, name)
  if (agent !== undefined) return agent
  const known = Object.keys(gateway?.agents ?? {}).slice(0, 10)
  throw new ConfigError(
    known.length === 0
      ? '--agent names an agent, but the config file has none'
      : `--agent names no agent of the config file; it has ${known.join(', ')}`,
  )
}

/** The settings of a named agent; undefined for a name that the file does not have. */
export function agentIn(gateway: GatewayConfig | undefined, name: string): AgentSettings | undefined {
  const agents = gateway?.agents ?? {}
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (agent === undefined) return undefined
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
