import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempFolder } from '../support/temp-folder.ts'

/** The project's own folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A copy of what codegen reads, to be edited: `using copy = contractsCopy()`. */
export function contractsCopy(): ReturnType<typeof tempFolder> {
  const folder = tempFolder()
  cpSync(path.join(root, 'contracts'), folder.file('contracts'), { recursive: true })
  cpSync(path.join(root, 'package-lock.json'), folder.file('package-lock.json'))
  return folder
}
