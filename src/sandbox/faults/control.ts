// The faults of a running sandbox, from outside: over the control routes of both backends (inject.ts).
import type { SandboxConnection } from '../attach.ts'
import { faultsPath } from './inject.ts'
import { rulesOf } from './presets.ts'

/** A rule in force at one backend, as its control route shows it. */
export interface FaultInForce {
  backend: 'hubu' | 'gongbu'
  rule: Readonly<Record<string, unknown>>
}

/** The faults in force. Rejects when the sandbox does not answer. */
export async function readFaults(connection: SandboxConnection): Promise<FaultInForce[]> {
  return inForce(await ask(connection, 'hubu'), await ask(connection, 'gongbu'))
}

/** Puts the faults of these known names in the place of all there were. Rejects when the sandbox does not answer. */
export async function setFaults(connection: SandboxConnection, names: readonly string[]): Promise<FaultInForce[]> {
  const { hubu, gongbu } = rulesOf(names)
  return inForce(await ask(connection, 'hubu', hubu), await ask(connection, 'gongbu', gongbu))
}

type Rules = readonly Readonly<Record<string, unknown>>[]

async function ask(connection: SandboxConnection, backend: 'hubu' | 'gongbu', faults?: Rules): Promise<Rules> {
  const response = await fetch(connection[backend].url + faultsPath, {
    headers: { authorization: `Bearer ${connection.adminToken}` },
    ...(faults !== undefined && { method: 'POST', body: JSON.stringify({ faults }) }),
  })
  if (!response.ok) throw new Error(`the control of faults at ${backend} answered ${response.status}`)
  return ((await response.json()) as { faults: Rules }).faults
}

function inForce(hubu: Rules, gongbu: Rules): FaultInForce[] {
  const of = (backend: FaultInForce['backend'], rules: Rules) => rules.map((rule) => ({ backend, rule }))
  return [...of('hubu', hubu), ...of('gongbu', gongbu)].filter(({ rule }) => rule.times !== 0)
}
