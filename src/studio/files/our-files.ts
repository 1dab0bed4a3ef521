// The three files that a studio looks into, and what is said of one that it cannot.
import { activityApplicationId } from '../../storage/activity-database.ts'
import { resultsApplicationId } from '../../storage/migrations.ts'
import { NotOurFile } from '../../storage/our-file.ts'
import { applicationId, isServedVersion, requireColumns } from '../../operations/schema.ts'
import type { SqliteDatabase } from '../../storage/database.ts'
import type { Off } from '../views/words.ts'
import { keepFile, type FileFault, type KeptFile, type KeptFileOptions } from './kept-file.ts'

/** The files of one person's routers. */
export interface OurFiles {
  registry: KeptFile
  results: KeptFile
  activity: KeptFile
  close(): void
}

/** Where they lie; undefined where nobody says so. */
export interface FilePaths {
  registry: string | undefined
  results: string | undefined
  activity: string | undefined
}

const marks = (database: SqliteDatabase) => ({
  id: database.pragma('application_id', { simple: true }) as number,
  version: database.pragma('user_version', { simple: true }) as number,
})

function demandRegistry(database: SqliteDatabase): void {
  const { id, version } = marks(database)
  if (id !== applicationId || !isServedVersion(version)) throw new NotOurFile('it is no registry of this release')
  requireColumns(database)
}

function demandResults(database: SqliteDatabase): void {
  if (marks(database).id !== resultsApplicationId) throw new NotOurFile('it holds no results')
}

function demandActivity(database: SqliteDatabase): void {
  if (marks(database).id !== activityApplicationId) throw new NotOurFile('it is no activity file')
}

export function openOurFiles(paths: FilePaths, clock: KeptFileOptions['clock']): OurFiles {
  const registry = keepFile({ path: paths.registry, check: demandRegistry, clock })
  const results = keepFile({ path: paths.results, check: demandResults, clock })
  const activity = keepFile({ path: paths.activity, check: demandActivity, clock })
  return {
    registry,
    results,
    activity,
    close: () => [registry, results, activity].forEach((file) => file.close()),
  }
}

const names = { registry: 'registry', results: 'file of stored results', activity: 'activity file' }

/** What is told of a file that cannot be looked into. */
export function offOf(which: keyof typeof names, fault: FileFault): Off {
  const name = names[which]
  const off = (code: Off['code'], message: string, remedy: string): Off => ({ state: 'off', code, message, remedy })
  switch (fault) {
    case 'not_configured':
      return off('not_configured', `No ${name} is configured.`, remedies[which])
    case 'missing':
      return off('missing', `There is no ${name} yet.`, `A router makes it. ${remedies[which]}`)
    case 'not_ours':
      return off(
        'unreadable',
        `The ${name} is not one of this release.`,
        'Look what its setting names: hubu-unified-mcp doctor',
      )
    case 'busy':
      return off('busy', `Another program holds the ${name}.`, 'Try again in a moment.')
    case 'unreadable':
      return off('unreadable', `The ${name} cannot be read.`, 'Look why: hubu-unified-mcp doctor')
  }
}

const remedies = {
  registry: 'Start a client that has the router, or set HUBU_UNIFIED_OPERATION_STATE_PATH.',
  results: 'Results above the budget are kept as soon as a router stores one.',
  activity: 'A router with mounted servers writes it.',
}
