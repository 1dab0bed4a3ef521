// `init --from-agents`: one configuration out of what the clients have, and our entry in each of them.
import { alwaysChanged, namingFile } from '../../documents/document-error.ts'
import { type Edit } from '../../documents/edit.ts'
import { editText } from '../../documents/edit-text.ts'
import { yaml } from '../../documents/yaml.ts'
import { isObject } from '../../json/read.ts'
import { noteOpenMode } from '../entry/token-file.ts'
import { type Environment } from '../environment.ts'
import { backupName } from '../../documents/backup-name.ts'
import { type DocumentFile, readDocumentFile } from '../../documents/document-file.ts'
import { difference, type FileChange } from '../files/difference.ts'
import { replaceFile, type WriteStep } from '../../documents/replace-file.ts'
import { type SyncConfig } from './desired.ts'
import { type ImportPlan, planImport } from './import-servers.ts'

/** Where an import reads and writes, and who hears of each step. */
export interface ImportServices {
  config: SyncConfig
  /** The configuration's file, whether it exists or not. */
  configFile: string
  now: Date
  onStep?: (step: WriteStep, file: string) => void
  /** Throws when a text would not be a valid configuration. */
  validate?(text: string): void
}

/** What an import found and did. */
export interface ImportResult {
  plan: ImportPlan
  change: FileChange
  backup?: string
  /** The configuration that the new agents are to be synced with. */
  config: SyncConfig
}

/** Plans the import and, with `write`, writes the configuration. Servers keep what it says of them already. */
export function importAgents(write: boolean, environment: Environment, services: ImportServices): ImportResult {
  const plan = planImport(services.config, environment)
  const servers = { ...services.config.servers, ...plan.servers } as SyncConfig['servers']
  const written = writeConfig(plan, write, environment, services)
  plan.notes.push(...noteReaders(plan, services.configFile, environment))
  return { plan, ...written, config: { servers, agents: plan.agents } }
}

/** The result for people. */
export function importText({ plan, change, backup }: ImportResult, write: boolean): string {
  const { servers, agents, notes } = plan
  const found = `found ${Object.keys(servers).length} new servers and ${Object.keys(agents).length} agents`
  const hasChanges = change.changes.length > 0
  const done = write && hasChanges ? [`written ${change.path}${backup === undefined ? '' : `, backup ${backup}`}`] : []
  const shown = write || !hasChanges ? [] : [difference(change).trimEnd()]
  return [found, ...shown, ...done, ...notes.map((note) => `note: ${note}`)].join('\n') + '\n'
}

/** The result as data. */
export function importJson({ plan, change, backup }: ImportResult): object {
  const files = [{ path: change.path, created: change.isNew, difference: difference(change) }]
  const { servers, agents, notes } = plan
  return { servers: Object.keys(servers), agents, files, ...(backup === undefined ? {} : { backup }), notes }
}

function writeConfig(
  plan: ImportPlan,
  write: boolean,
  environment: Environment,
  services: ImportServices,
): Pick<ImportResult, 'change' | 'backup'> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = readDocumentFile(services.configFile)
    const change = changeOf(file, plan)
    if (change.changes.length === 0 || !write) return { change }
    services.validate?.(change.after)
    const backup = file.kind === 'present' ? { path: backupName(file.path, services.now), mode: file.mode } : undefined
    const outcome = replaceFile(file, change.after, { platform: environment.platform, backup, onStep: services.onStep })
    if (outcome.kind === 'written') return { change, ...(backup === undefined ? {} : { backup: backup.path }) }
  }
  throw alwaysChanged(services.configFile)
}

/** Variables of servers are often secrets, and lay in files that only their user could read. */
function noteReaders({ servers }: ImportPlan, configFile: string, { platform }: Environment): string[] {
  const file = readDocumentFile(configFile)
  const hasVariables = Object.values(servers).some((server) => isObject(server) && server['env'] !== undefined)
  return hasVariables && file.kind === 'present' ? noteOpenMode(file, platform) : []
}

function changeOf(file: DocumentFile, plan: ImportPlan): FileChange {
  const before = file.kind === 'present' ? file.text : ''
  const version: Edit = { kind: 'merge', path: [], members: { version: 1 }, missingOnly: true }
  const edits = plan.edits.length === 0 ? [] : [version, ...plan.edits]
  const { text, changes } = namingFile(file.path, () => editText(yaml, before, edits))
  return { path: file.path, before, after: text, changes, isNew: file.kind === 'missing', format: yaml }
}
