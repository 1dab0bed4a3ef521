// Why a command cannot be started, looked up where it would be started.
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { EntryProblem } from '../expand-entry.ts'

/** A command on this machine. */
export interface StartPlace {
  command: string
  cwd: string | undefined
  /** The environment that it would get. */
  env: Readonly<Record<string, string | undefined>>
}

/** Throws EntryProblem for a folder that is none, before anything is started in it. */
export function checkFolder({ cwd }: Pick<StartPlace, 'cwd'>): void {
  const found = cwd === undefined ? undefined : statSync(cwd, { throwIfNoEntry: false })
  if (cwd !== undefined && found === undefined) throw new EntryProblem('cwd names a folder that does not exist')
  if (found !== undefined && !found.isDirectory()) throw new EntryProblem('cwd names something that is no folder')
}

/** Why the machine found nothing to start. */
export function notFoundReason(place: StartPlace): string {
  const { command } = place
  if (isThere(place)) return 'the program that its command names in its first line is not there'
  if (command.startsWith('~')) return 'a ~ in command is not expanded; write the whole path'
  if (/\s/.test(command.trim())) return 'command holds a whole command line; put all but its first word into args'
  return 'its command was not found on the PATH'
}

function isThere({ command, cwd, env }: StartPlace): boolean {
  if (/[/\\]/.test(command)) return existsSync(path.resolve(cwd ?? '.', command))
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => existsSync(path.join(folder, command)))
}
