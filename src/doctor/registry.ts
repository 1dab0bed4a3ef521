import { lstatSync } from 'node:fs'
import path from 'node:path'
import { applicationId, isServedVersion, schemaVersion } from '../operations/schema.ts'
import type { FileMarks } from '../storage/database.ts'
import { refuseStrangeFiles, RegistryRefused } from '../operations/file-guard.ts'
import type { KeySecretState } from '../operations/key-secret.ts'
import { isDamage } from '../storage/damage.ts'
import { failure, ok, warning, type Finding } from './finding.ts'

const remedy =
  'Let HUBU_UNIFIED_OPERATION_STATE_PATH name an absolute path whose file is missing or was made by this router; spend tools stay off until then.'

/** What opening the registry would meet; nothing is created or changed. */
export function checkRegistry(
  statePath: string | undefined,
  readMarks: (path: string) => FileMarks & { isSound?: boolean; secret?: KeySecretState },
): Finding {
  if (statePath === undefined || statePath.trim() === '') {
    return warning('registry', 'HUBU_UNIFIED_OPERATION_STATE_PATH is not set: no spend, create or status tools', remedy)
  }
  if (statePath === ':memory:' || !path.isAbsolute(statePath))
    return failure('registry', 'the path is not absolute', remedy)
  try {
    const stat = lstatSync(statePath, { throwIfNoEntry: false })
    if (stat === undefined || (stat.isFile() && stat.size === 0))
      return ok('registry', 'the file will be made at the first start')
    if (!stat.isFile()) return failure('registry', 'the path is a link, a folder or another special file', remedy)
    refuseStrangeFiles(statePath)
    const { applicationId: id, userVersion, isSound = true, secret = 'fits' } = readMarks(statePath)
    if (id !== applicationId) return failure('registry', 'the file belongs to another program', remedy)
    if (!isServedVersion(userVersion)) {
      return failure(
        'registry',
        `the file has schema ${userVersion}, this router needs ${schemaVersion}; there is no upgrade`,
        remedy,
      )
    }
    if (!isSound) return damaged()
    if (secret === 'missing' || secret === 'another') return lostSecret(secret)
    return ok('registry', `schema ${userVersion}`)
  } catch (error) {
    if (isDamage(error)) return damaged()
    if (error instanceof RegistryRefused) return failure('registry', error.message, remedy)
    return failure('registry', 'the file cannot be read as a registry (locked, damaged or not permitted)', remedy)
  }
}

const damaged = () =>
  failure(
    'registry',
    'the file is damaged',
    'Stop the routers, keep the file with its -wal, and put a backup with its .key-secret in its place. A new path would forget every purchase that is under way: a call delivered again would then rest on what Hubu remembers alone.',
  )

const lostSecret = (secret: 'missing' | 'another') =>
  failure(
    'registry',
    secret === 'missing' ? 'its key secret is missing' : 'the key secret beside it is another one',
    'Put the file REGISTRY.key-secret back from the backup. If it is lost for good, hubu-unified-mcp operations secret --new says what that forgets.',
  )

/** Whether these are the marks of a registry that we can open. */
export function isRegistry({ applicationId: id, userVersion }: FileMarks): boolean {
  return id === applicationId && isServedVersion(userVersion)
}
