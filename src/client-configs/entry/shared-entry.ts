// The entry of a file that a project's people share: without the home folder of one of them. Pure.
import { type Client, type ServerDefinition } from '../clients/client.ts'
import { type Environment, pathOf } from '../environment.ts'
import { type EntryConnection, type ServerEntry } from './server-entry.ts'

/** The entry with the client's own reference to the home folder, where it has one; a sandbox finds its place by itself. */
export function sharedEntry(
  { command, args, env }: ServerEntry,
  { homeReference }: Pick<Client, 'homeReference'>,
  connection: EntryConnection,
  environment: Environment,
): ServerEntry {
  const { HUBU_UNIFIED_OPERATION_STATE_PATH: _, ...bare } = env
  const kept = Object.entries(connection.kind === 'sandbox' ? bare : env)
  const shared = sharedPath({ homeReference }, environment)
  return {
    command: shared(command),
    args: args.map(shared),
    env: Object.fromEntries(kept.map(([name, value]) => [name, shared(value)])),
  }
}

/** Puts the client's own reference to the home folder into a path that begins with it, where the client has one. */
export function sharedPath(
  { homeReference }: Pick<Client, 'homeReference'>,
  environment: Environment,
): (value: string) => string {
  // On Windows the variable has another name.
  const reference = environment.platform === 'win32' ? undefined : homeReference
  const { sep } = pathOf(environment)
  return (value) =>
    reference !== undefined && value.startsWith(environment.home + sep)
      ? reference + value.slice(environment.home.length)
      : value
}

/** A server as the client starts it: with the home folder in place of the reference to it. */
export function expandedServer(
  { command, args, env, ...rest }: ServerDefinition,
  { homeReference }: Pick<Client, 'homeReference'>,
  { home }: Environment,
): ServerDefinition {
  const expanded = (value: string): string =>
    homeReference !== undefined && value.startsWith(homeReference) ? home + value.slice(homeReference.length) : value
  return {
    ...rest,
    ...(command === undefined ? {} : { command: expanded(command) }),
    ...(args === undefined ? {} : { args: args.map(expanded) }),
    ...(env === undefined
      ? {}
      : { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, expanded(value)])) }),
  }
}
