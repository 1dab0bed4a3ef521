import path from 'node:path'
import { ConfigError } from '../config/config-error.ts'
import { dataFolder, type Place } from '../config/paths.ts'
import { Secret } from '../redaction/secret.ts'
import { attach, type SandboxBackend, type SandboxConnection } from '../sandbox/attach.ts'
import { hasSeat } from '../sandbox/seat.ts'

/** The flags of commands that look into a sandbox; none of them starts one. */
export interface SandboxFolderFlags {
  sandbox?: boolean
  dataFolder?: string
}

/** Whether a sandbox is meant. */
export const isSandbox = (flags: SandboxFolderFlags): boolean =>
  flags.sandbox === true || flags.dataFolder !== undefined

/**
 * The data folder of the sandbox that is meant, whether or not it runs; undefined when none is meant. Throws ConfigError like
 * `sandboxFolder`, and when no sandbox was ever started there.
 */
export function sandboxFolderOf(flags: SandboxFolderFlags, place: Place): string | undefined {
  if (!isSandbox(flags)) return undefined
  const folder = sandboxFolder(flags.dataFolder, place)
  if (!hasSeat(folder)) throw new ConfigError(`no sandbox was ever started in ${folder}; ${howToStart}`)
  return folder
}

/** The connection to the sandbox that is meant; undefined when none is meant. Throws ConfigError when it does not run. */
export function sandboxConnectionOf(flags: SandboxFolderFlags, place: Place): SandboxConnection | undefined {
  const folder = sandboxFolderOf(flags, place)
  if (folder === undefined) return undefined
  const attached = attach(folder)
  if (attached.kind === 'running') return attached.connection
  throw new ConfigError(`the sandbox in ${folder} does not run now, only its files are there; ${howToStart}`)
}

/** One backend of a sandbox as the router's clients take it. */
export function backendOf({ url, token, port }: SandboxBackend): {
  endpoint: URL
  bearer: Secret
  port(): Promise<number>
} {
  return { endpoint: new URL(url), bearer: new Secret(token), port }
}

const howToStart =
  'it runs as long as an MCP client has it open: set one up with `hubu-unified-mcp try`, or start `hubu-unified-mcp sandbox` yourself'

/** Where a sandbox keeps its state. Throws ConfigError when nobody says where and there is no home either. */
export function sandboxFolder(given: string | undefined, place: Place): string {
  if (given !== undefined) return path.resolve(given)
  const usual = path.join(dataFolder(place), 'sandbox')
  if (path.isAbsolute(usual)) return usual
  throw new ConfigError(
    'there is no home folder to keep the sandbox in; name a folder with --data-folder, or set HOME or XDG_DATA_HOME',
  )
}
