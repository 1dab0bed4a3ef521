import path from 'node:path'
import { migrate, openDatabase, type SqliteDatabase } from './database.ts'
import { makePrivateFolder } from './make-folder.ts'
import { demandOurFile } from './our-file.ts'

/** `application_id` of the file that holds what happens beside the money: "HuAc" in ASCII. */
export const activityApplicationId = 0x48754163

/** Forward only: a step is never edited, the next one is appended. */
const activityMigrations: readonly string[] = [
  `create table tool_definition (
     server text not null,
     tool text not null,
     digest text not null,
     definition text not null,
     first_seen_ms integer not null,
     last_seen_ms integer not null,
     is_accepted integer not null,
     primary key (server, tool, digest)
   ) strict, without rowid;
   pragma application_id = ${activityApplicationId};`,
]

/** SQLite's own wait would block the process; who opens the file retries instead. */
const busyTimeoutMs = 2

/**
 * Opens the activity file, or makes it in a private folder. Throws for a file that is not ours, which is left as it is, and what
 * SQLite or the file system throws.
 */
export function openActivityDatabase(file: string): SqliteDatabase {
  demandOurFile(file, {
    what: 'activity',
    applicationId: activityApplicationId,
    userVersion: activityMigrations.length,
  })
  makePrivateFolder(path.dirname(file))
  const database = openDatabase(file, { busyTimeoutMs, synchronous: 'NORMAL' })
  try {
    if (database.pragma('user_version', { simple: true }) !== activityMigrations.length)
      migrate(database, activityMigrations)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
