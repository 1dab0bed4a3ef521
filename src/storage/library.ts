// Which SQLite library this process uses: better-sqlite3, and where that cannot be loaded the one of Node.
import type Database from 'better-sqlite3'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isLibraryFault } from './library-fault.ts'
import { nodeSqlite, openWithNode } from './node-sqlite.ts'

/** The name of the library that opened a file last. */
export let libraryName = 'better-sqlite3'

/** Where better-sqlite3 is looked for: from the program that was started, or from the working directory where no file was. */
export function requireNative(): NodeJS.Require {
  const program = process.argv[1]
  return createRequire(
    program !== undefined && existsSync(program) ? realpathSync(program) : path.join(process.cwd(), 'package.json'),
  )
}

/**
 * Opens a file with whichever library there is. Throws the library's error; where there is none, why better-sqlite3 cannot be loaded.
 */
export function openWithLibrary(file: string, options: Database.Options): Database.Database {
  if (libraryName === 'better-sqlite3') {
    try {
      native ??= requireNative()('better-sqlite3') as typeof Database
      return new native(file, options)
    } catch (error) {
      if (!isLibraryFault(error) || nodeSqlite() === undefined) throw error
      libraryName = 'node:sqlite'
    }
  }
  return openWithNode(nodeSqlite()!, file, options)
}

let native: typeof Database | undefined
