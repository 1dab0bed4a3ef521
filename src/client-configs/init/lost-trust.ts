// Whether clients that protected tools are trusted to still ask a person. Only reads.
import { readDocumentFile } from '../../documents/document-file.ts'
import { nodeAt, toLoose } from '../../documents/tree.ts'
import { isRefusal } from '../client-config-error.ts'
import { type Client } from '../clients/client.ts'
import { findClient } from '../clients/client-list.ts'
import { type TrustObstacle } from '../clients/obstacle.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { entryTrusts } from '../entry/server-entry.ts'
import { type Environment, fromHome } from '../environment.ts'
import { parseFile } from '../files/file-plan.ts'
import { type FileRecord, type SetupJournal, openJournals } from '../journal/journal.ts'
import { looksOf } from './plan.ts'

/** A client whose entry trusts it, although it may not ask. */
export interface LostTrust {
  /** The client's name after `init`. */
  client: string
  title: string
  /** Files in the home folder are named from `~`. */
  obstacles: TrustObstacle[]
}

/** Judges every client that `init` set up with trust, in all scopes. */
export function findLostTrust(environment: Environment, lists: ApprovalLists): LostTrust[] {
  return openJournals(environment.dataFolder)
    .all()
    .flatMap((journal) => journal.files.map((record) => ({ journal, record })))
    .flatMap(({ journal, record }) => {
      const client = findClient(journal.client)
      const obstacles = obstaclesOf(client, journal, record, environment, lists)
      const named = obstacles.map((obstacle) => ({ ...obstacle, file: fromHome(obstacle.file, environment) }))
      return named.length === 0 ? [] : [{ client: client.name, title: client.title, obstacles: named }]
    })
}

function obstaclesOf(
  client: Client,
  { scope, project }: SetupJournal,
  { path, entryPath }: FileRecord,
  machine: Environment,
  lists: ApprovalLists,
): TrustObstacle[] {
  if (entryPath === undefined) return []
  const environment = project === null ? machine : { ...machine, cwd: project }
  try {
    const file = readDocumentFile(path)
    const entry = nodeAt(parseFile(file, client.format).root, entryPath)
    const server = entry && client.shape.read(toLoose(entry))
    if (server === undefined || !entryTrusts(server.env)) return []
    if (client.approval.class === 'cannot') {
      const what = `trusts ${client.title}, which nothing holds to asking: ${client.approval.bypass}`
      return [{ file: path, what: what.replace(/\.$/, ''), remedy: 'Run init again without --trust-client-approval.' }]
    }
    const { look } = looksOf(file)
    const request = { lists, environment, scope, entryFile: path, entryPath, look, experimentalPins: false }
    return client.approvals(request).trustObstacles?.() ?? []
  } catch (error) {
    if (!isRefusal(error)) throw error
    const what = `trusts ${client.title}, and its settings cannot be judged: ${error.message}`
    return [{ file: path, what, remedy: 'Mend that file.' }]
  }
}
