// What an entry of ours that stands in a file already says: its backends, its trust, who names purchases. Pure.
import { type ServerDefinition } from '../clients/client.ts'
import { type Backend, type EntryConnection, entryTrusts, startsSandbox } from '../entry/server-entry.ts'

/** As much of an entry as `sync` leaves as it is, unless its flags say otherwise. */
export interface KeptEntry {
  /** Undefined for an entry without a backend. */
  connection?: EntryConnection
  isTrusted: boolean
  /** Variables that say who names purchases. */
  identity: Record<string, string>
  viaNpx: boolean
}

const identityVariables = ['HUBU_UNIFIED_IDENTITY', 'HUBU_UNIFIED_PRINCIPAL']

/** Reads an entry that `init` or `sync` wrote. */
export function keptEntry({ command, args = [], env = {} }: ServerDefinition): KeptEntry {
  const connection = connectionIn(args, env)
  return {
    ...(connection === undefined ? {} : { connection }),
    isTrusted: entryTrusts(env),
    identity: Object.fromEntries(Object.entries(env).filter(([name]) => identityVariables.includes(name))),
    viaNpx: command === 'npx' || args.includes('npx'),
  }
}

function connectionIn(args: readonly string[], env: Readonly<Record<string, string>>): EntryConnection | undefined {
  if (startsSandbox({ args })) return { kind: 'sandbox' }
  const hubu = backendIn(env, 'HUBU')
  const gongbu = backendIn(env, 'GONGBU')
  if (hubu === undefined && gongbu === undefined) return undefined
  const reconciliationTokenFile = env['HUBU_RECONCILIATION_TOKEN_FILE']
  const statePath = env['HUBU_UNIFIED_OPERATION_STATE_PATH']
  return {
    kind: 'backends',
    ...(hubu === undefined ? {} : { hubu }),
    ...(gongbu === undefined ? {} : { gongbu }),
    ...(reconciliationTokenFile === undefined ? {} : { reconciliationTokenFile }),
    ...(statePath === undefined ? {} : { statePath }),
  }
}

function backendIn(env: Readonly<Record<string, string>>, owner: 'HUBU' | 'GONGBU'): Backend | undefined {
  const endpoint = env[`HUBU_UNIFIED_${owner}_ENDPOINT`]
  const tokenFile = env[`HUBU_UNIFIED_${owner}_BEARER_TOKEN_FILE`]
  return endpoint === undefined || tokenFile === undefined ? undefined : { endpoint, tokenFile }
}
