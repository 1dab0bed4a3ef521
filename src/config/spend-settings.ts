// Who names a spend, on whose behalf it is made, and what is done about a second one that equals it.
import type { GatewayConfig } from '#generated/types/config.js'
import { ConfigError } from './config-error.ts'
import { parseDuration } from './durations.ts'
import { environmentVariables as names, isBlank } from './environment.ts'

/** Who names a call: its harness; the router where the harness does not; or always the router. */
export type SpendIdentity = 'harness' | 'guarded' | 'replace'

/** What happens to a purchase that equals an earlier one: nothing; it is told; it is refused in doubt; it is refused. */
export type TwinGuard = 'off' | 'tell' | 'doubt' | 'refuse'

/** What the registry's journal keeps: everything, amounts and hashes, or nothing. */
export type JournalMode = 'full' | 'sums' | 'off'

/** How spends are named, guarded and written down. All of it counts from the start of a process to its end. */
export interface SpendSettings {
  readonly identity: SpendIdentity
  /** 1 to 64 of `A-Z a-z 0-9 . _ -`. */
  readonly principal: string
  readonly twinGuard: TwinGuard
  /** How long a finished purchase keeps its equal from being bought. */
  readonly twinWindowMs: number
  readonly journal: JournalMode
}

/** What is known besides the environment. */
export interface SpendGiven {
  gateway?: GatewayConfig
  /** `--agent NAME`. */
  agent?: string
  /** `--identity MODE`. */
  identity?: string
  /** A sandbox: it has a registry of its own, and names spends itself unless told otherwise. */
  isSandbox?: boolean
}

const identities = ['harness', 'guarded', 'replace'] as const
const guards = ['off', 'tell', 'doubt', 'refuse'] as const
const journals = ['full', 'sums', 'off'] as const
const minuteMs = 60_000
const defaultWindowMs = 10 * minuteMs

/** What is allowed as a twin window, in words. */
export const windowWords = 'a duration from 1m to 24h, such as 10m'

/** The milliseconds of a twin window; undefined for anything that is none. */
export function parseWindow(text: string): number | undefined {
  const ms = parseDuration(text)
  return ms !== undefined && ms >= minuteMs && ms <= 24 * 60 * minuteMs ? ms : undefined
}

/** Flag over environment over file over defaults. Throws ConfigError, which names the setting and never its value. */
export function readSpendSettings(read: (name: string) => string | undefined, given: SpendGiven): SpendSettings {
  const { gateway, agent: agentName } = given
  const agents = gateway?.agents ?? {}
  const agent = agentName !== undefined && Object.hasOwn(agents, agentName) ? agents[agentName] : undefined
  const journal = oneOf(names.journal, journals, read(names.journal)) ?? gateway?.journal ?? 'full'
  const identity =
    oneOf('--identity', identities, given.identity) ??
    oneOf(names.identity, identities, read(names.identity)) ??
    agent?.identity ??
    (given.isSandbox && journal !== 'off' ? 'guarded' : 'harness')
  if (identity !== 'harness' && journal === 'off')
    throw new ConfigError(
      `the spend identity (${names.identity}) can only be ${identity} with a journal, and ${names.journal} is off; switch one of them`,
    )
  const hasRegistry = given.isSandbox === true || !isBlank(read(names.statePath))
  if (identity !== 'harness' && !hasRegistry)
    throw new ConfigError(
      `the spend identity (${names.identity}) can only be ${identity} with a registry; set ${names.statePath}`,
    )
  return {
    identity,
    principal: readPrincipal(read) ?? agent?.principal ?? fromAgentName(agentName) ?? 'local',
    twinGuard: guardOf(
      oneOf(names.twinGuard, guards, read(names.twinGuard)) ?? agent?.twin_guard,
      identity,
      journal !== 'off',
    ),
    twinWindowMs: readWindow(read(names.twinWindow)) ?? parseWindow(agent?.twin_window ?? '') ?? defaultWindowMs,
    journal,
  }
}

/** The keys whose change would alter what a retry means in the middle of a session. */
export function spendKeysForRestart(started: SpendSettings, changed: SpendSettings): string[] {
  const keys = {
    identity: 'identity',
    principal: 'principal',
    twinGuard: 'twin_guard',
    twinWindowMs: 'twin_window',
    journal: 'journal',
  } as const
  return Object.entries(keys).flatMap(([member, key]) => {
    const name = member as keyof typeof keys
    return started[name] === changed[name] ? [] : [key]
  })
}

/** A guard looks into the journal; and where the router names spends, the guard is what keeps that safe. */
function guardOf(asked: TwinGuard | undefined, identity: SpendIdentity, hasJournal: boolean): TwinGuard {
  if (identity !== 'harness') {
    if (asked === undefined || asked === 'refuse') return 'refuse'
    throw new ConfigError(
      `the twin guard (${names.twinGuard}) must be refuse, or left out, while the spend identity is ${identity}`,
    )
  }
  if (hasJournal) return asked ?? 'doubt'
  if (asked === undefined || asked === 'off') return 'off'
  throw new ConfigError(`the twin guard (${names.twinGuard}) needs a journal, and ${names.journal} is off`)
}

/** The principal that the environment names, if it names one. Throws ConfigError. */
export function readPrincipal(read: (name: string) => string | undefined): string | undefined {
  const text = read(names.principal)
  if (text === undefined || /^[A-Za-z0-9._-]{1,64}$/.test(text)) return text
  throw new ConfigError(`${names.principal} must be 1 to 64 of A-Z a-z 0-9 . _ -`)
}

/** An agent may have any name; as a principal it is spelled in the letters that a principal has. */
function fromAgentName(name: string | undefined): string | undefined {
  return name?.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 64)
}

function readWindow(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = parseWindow(text)
  if (ms === undefined) throw new ConfigError(`${names.twinWindow} must be ${windowWords}`)
  return ms
}

function oneOf<const T extends string>(name: string, allowed: readonly T[], text: string | undefined): T | undefined {
  if (text === undefined) return undefined
  const found = allowed.find((word) => word === text)
  if (found === undefined) throw new ConfigError(`${name} must be ${allowed.join(', ')}`)
  return found
}
