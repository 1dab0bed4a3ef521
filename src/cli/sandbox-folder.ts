import path from 'node:path'
import { dataFolder, type Place } from '../config/paths.ts'

/** The flags of commands that look into a sandbox; none of them starts one. */
export interface SandboxFolderFlags {
  sandbox?: boolean
  dataFolder?: string
}

/** The data folder of the sandbox that is meant; undefined when none is. */
export function sandboxFolderOf({ sandbox, dataFolder: given }: SandboxFolderFlags, place: Place): string | undefined {
  if (sandbox !== true && given === undefined) return undefined
  return path.resolve(given ?? path.join(dataFolder(place), 'sandbox'))
}
