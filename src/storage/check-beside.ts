// Looks a whole database file over in a process of its own: SQLite's check of a large file takes seconds, in which nothing else of this
// process would go on, and only a process can be ended in the middle of it.
import { spawn } from 'node:child_process'
import os from 'node:os'
import { libraryName, requireNative } from './library.ts'

/** `full`: pages, indexes and rules at once; `quick`: without the indexes; `tables`: in full, one table with its indexes after the other. */
export type Thoroughness = 'full' | 'quick' | 'tables'

/** A check that runs. */
export interface RunningCheck {
  /** Whether the content is sound. Rejects when that could not be found out, also because it was stopped. */
  isSound: Promise<boolean>
  /** Ends it now. */
  stop(): void
}

/** Begins to check the file at a path, which is only read, and which others may write to meanwhile. */
export function checkBeside(path: string, how: Thoroughness): RunningCheck {
  const library = libraryName === 'node:sqlite' ? libraryName : requireNative().resolve('better-sqlite3')
  const child = spawn(process.execPath, ['-e', program, library, path, how], {
    env: {},
    stdio: 'ignore',
    windowsHide: true,
  })
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Then it runs like everybody else.
  }
  const isSound = new Promise<boolean>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === soundCode || code === damagedCode) resolve(code === soundCode)
      else reject(new Error('the check of the file ended without a result'))
    })
  })
  return { isSound, stop: () => void child.kill('SIGKILL') }
}

/** How the process ends that checked a file. */
const [soundCode, damagedCode] = [10, 11]

/** A table is checked in a transaction of its own, so that the log can be brought into the file in between. */
const program = `
const [, library, path, how] = process.argv
const { DatabaseSync, default: Database = require(library) } = library === 'node:sqlite' ? require(library) : {}
const open = () =>
  DatabaseSync ? new DatabaseSync(path, { readOnly: true }) : new Database(path, { readonly: true, fileMustExist: true })
const firstOf = (row) => Object.values(row)[0]
const isOk = (database, check) => firstOf(database.prepare('pragma ' + check).get()) === 'ok'
const checks = {
  full: (database) => isOk(database, 'integrity_check(1)'),
  quick: (database) => isOk(database, 'quick_check(1)'),
  tables: (database) =>
    database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite\\\\_%' escape '\\\\'")
      .all()
      .map(firstOf)
      .every((name) => isOk(database, "integrity_check('" + name.replaceAll("'", "''") + "')")),
}
let isSound
try {
  const database = open()
  database.exec('pragma busy_timeout = 5000')
  isSound = checks[how](database)
} catch (error) {
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(error.code) && ![11, 26].includes(error.errcode & 0xff)) throw error
  isSound = false
}
process.exit(isSound ? ${soundCode} : ${damagedCode})
`
