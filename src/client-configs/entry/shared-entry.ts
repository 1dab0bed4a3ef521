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
  const reference = referenceOf(homeReference, environment)
  const { sep } = pathOf(environment)
  return (value) =>
    reference !== undefined && value.startsWith(environment.home + sep)
      ? reference + value.slice(environment.home.length)
      : value
}

/** On Windows the variable that a client looks up has another name; its own word for the folder is the same everywhere. */
function referenceOf(reference: string | undefined, { platform }: Environment): string | undefined {
  return platform === 'win32' ? reference?.replace('HOME', 'USERPROFILE') : reference
}

/** A server as the client starts it: with the home folder in place of the reference to it. */
export function expandedServer(
  { command, args, env, ...rest }: ServerDefinition,
  { homeReference }: Pick<Client, 'homeReference'>,
  environment: Environment,
): ServerDefinition {
  const reference = referenceOf(homeReference, environment)
  const expanded = (value: string): string =>
    reference !== undefined && value.startsWith(reference) ? environment.home + value.slice(reference.length) : value
  return {
    ...rest,
    ...(command === undefined ? {} : { command: expanded(command) }),
    ...(args === undefined ? {} : { args: args.map(expanded) }),
    ...(env === undefined
      ? {}
      : { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, expanded(value)])) }),
  }
}
