// Which backends an entry is to reach, for every command that writes one.
import { ClientConfigError } from '../client-config-error.ts'
import { backendFlags, type BackendFlags, findConnection, type FoundConnection } from '../entry/connection.ts'
import { type EntryConnection } from '../entry/server-entry.ts'
import { type Environment } from '../environment.ts'
import { defaultProfile, loadStack } from '../stack/load-stack.ts'
import { type InitServices } from './services.ts'

/** The flags that say what an entry reaches. */
export interface ConnectionFlags extends BackendFlags {
  /** The empty text means the default profile. */
  stackProfile?: string
  allowIncompatible?: boolean
}

/** No real backend is compatible with a build that carries no release's stamp. */
export function refuseUnstamped(
  connection: EntryConnection,
  { allowIncompatible }: Pick<ConnectionFlags, 'allowIncompatible'>,
  { stamp }: Pick<InitServices['stack'], 'stamp'>,
): void {
  if (connection.kind === 'sandbox' || allowIncompatible === true || /^[0-9a-f]{40}$/.test(stamp.sourceCommit)) return
  throw new ClientConfigError(
    'setup_refused',
    "this build carries no release's stamp, so no real Hubu is compatible with it. Build it with HUBU_PRODUCT_VERSION and " +
      'HUBU_SOURCE_COMMIT of the Hubu release, try it with --sandbox, or add --allow-incompatible to write the entry anyway',
  )
}

/** The backends that the flags name: a stack profile, a sandbox, endpoints, or those of this machine. Throws `usage`, `setup_refused`. */
export async function findBackends(
  options: ConnectionFlags,
  environment: Environment,
  { registry, stack }: Pick<InitServices, 'registry' | 'stack'>,
): Promise<FoundConnection> {
  const { stackProfile } = options
  if (stackProfile === undefined) return findConnection(options, environment)
  if (options.sandbox === true || backendFlags.some((flag) => options[flag] !== undefined)) {
    throw new ClientConfigError(
      'usage',
      '--stack-profile cannot be combined with backends, token files, a state file or --sandbox',
    )
  }
  const profile = stackProfile === '' ? defaultProfile(environment) : stackProfile
  return loadStack(profile, registry, environment, {
    ...stack,
    allowIncompatible: options.allowIncompatible === true,
  })
}
