import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and those above it that are missing, for nobody else. Throws the file system's error. Node's own recursive way never
 * ends where a parent cannot hold anything, as in `/proc`.
 */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = []
  let at = path.resolve(folder)
  while (statSync(at, { throwIfNoEntry: false }) === undefined) {
    missing.unshift(at)
    at = path.dirname(at)
  }
  for (const each of missing) makeOne(each)
}

/** Somebody else may have made it meanwhile. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
