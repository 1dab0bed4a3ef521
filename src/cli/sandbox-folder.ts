import path from 'node:path'
import { ConfigError } from '../config/config-error.ts'
import { dataFolder, type Place } from '../config/paths.ts'

/** The flags of commands that look into a sandbox; none of them starts one. */
export interface SandboxFolderFlags {
  sandbox?: boolean
  dataFolder?: string
}

/** The data folder of the sandbox that is meant; undefined when none is. Throws ConfigError like `sandboxFolder`. */
export function sandboxFolderOf({ sandbox, dataFolder: given }: SandboxFolderFlags, place: Place): string | undefined {
  return sandbox !== true && given === undefined ? undefined : sandboxFolder(given, place)
}

/** Where a sandbox keeps its state. Throws ConfigError when nobody says where and there is no home either. */
export function sandboxFolder(given: string | undefined, place: Place): string {
  if (given !== undefined) return path.resolve(given)
  const usual = path.join(dataFolder(place), 'sandbox')
  if (path.isAbsolute(usual)) return usual
  throw new ConfigError(
    'there is no home folder to keep the sandbox in; name a folder with --data-folder, or set HOME or XDG_DATA_HOME',
  )
}
