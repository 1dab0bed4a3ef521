import { lstatSync } from 'node:fs'
import { readFileMarks } from './database.ts'

/** The file is something else's, or a newer release's; it is left exactly as it is. */
export class NotOurFile extends Error {
  override readonly name = 'NotOurFile'
}

/** How a file of ours is known. */
export interface OurFile {
  /** In the words of its errors, such as `results`. */
  what: string
  applicationId: number
  /** Of this release. */
  userVersion: number
}

/** Looks without writing. Throws NotOurFile when the file is not ours and not empty; one that is missing is made by whoever opens it. */
export function demandOurFile(file: string, ours: OurFile): void {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isFile()) throw new NotOurFile(`the ${ours.what} path is no regular file`)
  if (stat.size === 0) return
  const { applicationId, userVersion, tables } = readFileMarks(file)
  const isOurs = applicationId === ours.applicationId && userVersion <= ours.userVersion
  const isFresh = applicationId === 0 && userVersion === 0 && tables === 0
  if (!isOurs && !isFresh) throw new NotOurFile(`the ${ours.what} file is foreign or of a newer release`)
}
