// `init --from-agents`: one configuration out of what the clients have, and our entry in each of them (M 9.3).
import { ClientConfigError } from '../client-config-error.ts'
import { type Edit } from '../document/edit.ts'
import { editText } from '../document/edit-text.ts'
import { yaml } from '../document/yaml.ts'
import { type Environment } from '../environment.ts'
import { backupName } from '../files/backup-name.ts'
import { type ClientFile, readClientFile } from '../files/client-file.ts'
import { difference, type FileChange } from '../files/difference.ts'
import { naming } from '../files/file-plan.ts'
import { replaceFile } from '../files/replace-file.ts'
import { type Streams } from '../init/command.ts'
import { guarded, runSync, type SyncOptions, type SyncServices } from './command.ts'
import { type SyncConfig } from './desired.ts'
import { type ImportPlan, planImport } from './import-servers.ts'

/** What an import needs: the configuration's file is named even when it does not exist yet. */
export interface ImportServices extends SyncServices {
  configFile: string
  /** Throws when a text would not be a valid configuration; told by its message. */
  validate?(text: string): void
}

/** Runs the import: 0 done or previewed, 1 refused. Servers keep what the configuration says of them already. */
export async function runFromAgents(
  options: SyncOptions,
  streams: Streams,
  environment: Environment,
  services: ImportServices,
): Promise<number> {
  return guarded(streams, async () => {
    const plan = planImport(services.config, environment)
    const written = writeConfig(plan, options.write === true, environment, services)
    const names = Object.keys(plan.agents)
    if (options.json === true) streams.stdout.write(toJson(plan, written) + '\n')
    else if (options.quiet !== true) streams.stdout.write(importText(plan, written, options.write === true))
    if (names.length === 0) return 0
    const config: SyncConfig = {
      servers: { ...services.config.servers, ...plan.servers } as SyncConfig['servers'],
      agents: plan.agents,
    }
    const silent = { ...streams, stdout: { write: () => true } }
    const target = options.json === true ? silent : streams
    return runSync({ ...options, agents: names }, target, environment, { ...services, config })
  })
}

interface WrittenConfig {
  change: FileChange
  backup?: string
}

function writeConfig(
  plan: ImportPlan,
  write: boolean,
  environment: Environment,
  services: ImportServices,
): WrittenConfig {
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = readClientFile(services.configFile)
    const change = changeOf(file, plan)
    if (change.changes.length === 0 || !write) return { change }
    services.validate?.(change.after)
    const backup = file.kind === 'present' ? { path: backupName(file.path, services.now), mode: file.mode } : undefined
    const outcome = replaceFile(file, change.after, { platform: environment.platform, backup, onStep: services.onStep })
    if (outcome.kind === 'written') return { change, ...(backup === undefined ? {} : { backup: backup.path }) }
  }
  throw new ClientConfigError(
    'file_busy',
    `another program is writing ${services.configFile}; it has what that program wrote`,
  )
}

function changeOf(file: ClientFile, plan: ImportPlan): FileChange {
  const before = file.kind === 'present' ? file.text : ''
  const version: Edit = { kind: 'merge', path: [], members: { version: 1 }, missingOnly: true }
  const edits = plan.edits.length === 0 ? [] : [version, ...plan.edits]
  const { text, changes } = naming(file.path, () => editText(yaml, before, edits))
  return { path: file.path, before, after: text, changes, isNew: file.kind === 'missing', format: yaml }
}

function importText({ servers, agents, notes }: ImportPlan, { change, backup }: WrittenConfig, write: boolean): string {
  const found = `found ${Object.keys(servers).length} new servers and ${Object.keys(agents).length} agents`
  const done =
    write && change.changes.length > 0
      ? [`written ${change.path}${backup === undefined ? '' : `, backup ${backup}`}`]
      : []
  const shown = write || change.changes.length === 0 ? [] : [difference(change).trimEnd()]
  return [found, ...shown, ...done, ...notes.map((note) => `note: ${note}`)].join('\n') + '\n'
}

function toJson({ servers, agents, notes }: ImportPlan, { change, backup }: WrittenConfig): string {
  const files = [{ path: change.path, created: change.isNew, difference: difference(change) }]
  return JSON.stringify(
    { servers: Object.keys(servers), agents, files, ...(backup === undefined ? {} : { backup }), notes },
    null,
    2,
  )
}
