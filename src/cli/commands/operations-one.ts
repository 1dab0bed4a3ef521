// The one operation that a person means by its handle, or by the first digits of it.
import type { OperationReport } from '#generated/types/router.js'
import { sentences } from './operations-output.ts'

/** Looks it up, or says why there is none. Nothing is written. */
export async function oneOperation(handle: string, statePath: string | undefined): Promise<OperationReport | string> {
  const { readRegistry } = await import('../../operations/read-registry.ts')
  const { reportsOn } = await import('../../operations/find/report.ts')
  const read = readRegistry(statePath, (database) => reportsOn(database, handle, new Date()))
  return read.kind === 'unreadable' ? sentences[read.reason] : theOnly(read.value)
}

/** Of what a handle leads to: the only one, or why there is not just one. */
export function theOnly<T>([found, another]: readonly T[]): T | string {
  if (found === undefined) return 'No operation has this handle. operations find shows those that there are.'
  return another === undefined ? found : 'More than one handle begins so. Give more digits.'
}
