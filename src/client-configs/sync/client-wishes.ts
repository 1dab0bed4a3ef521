// What the flags of `sync` mean for the entries that it writes: the same as those of `init`.
import { isRefusal } from '../client-config-error.ts'
import { backendFlags, type FoundConnection } from '../entry/connection.ts'
import { startsByNpx } from '../entry/server-entry.ts'
import { type Environment } from '../environment.ts'
import { findBackends, refuseUnstamped } from '../init/find-backends.ts'
import { type EntryFlags, type SyncServices } from './services.ts'
import { type ClientWishes } from './sync-client.ts'

/**
 * The wishes of one run. Backends are looked for once; that there are none is told by each agent that would get an entry
 * without one. Flags that cannot mean anything are refused at once. Rejects with ClientConfigError.
 */
export async function clientWishes(
  flags: EntryFlags,
  environment: Environment,
  services: SyncServices,
): Promise<ClientWishes> {
  const { program, configFile, approvalLists } = services
  const isGiven =
    flags.sandbox === true || flags.stackProfile !== undefined || backendFlags.some((flag) => flags[flag] !== undefined)
  let found: FoundConnection | undefined
  let refusal: unknown
  try {
    found = await findBackends(flags, environment, services)
    refuseUnstamped(found.connection, flags, services.stack)
  } catch (error) {
    // What was asked for and cannot be is a wrong use; what was not found may not be missed.
    if (isGiven || !isRefusal(error)) throw error
    refusal = error
  }
  return {
    request: {
      program,
      configFile,
      trust: flags.trustClientApproval === true,
      trustsThatItAsks: flags.iKnowTheClientAsks === true,
      viaNpx: startsByNpx(flags.viaNpx, program),
      guardedIdentity: flags.guardedIdentity === true,
      experimentalPins: flags.experimentalPins === true,
    },
    lists: (agent) => approvalLists(configFile, agent),
    connection(kept) {
      if (!isGiven && kept?.connection !== undefined) return { connection: kept.connection, tokens: [], notes: [] }
      if (found === undefined || refusal !== undefined) throw refusal
      return found
    },
  }
}
