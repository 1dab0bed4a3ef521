import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** One hand-written file, with its path below the project's folder. */
export interface Source {
  file: string
  text: string
}

/** Every TypeScript and JavaScript file below these folders, sorted. */
export function readSources(...folders: string[]): Source[] {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')),
  )
  return files.sort().map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
}
