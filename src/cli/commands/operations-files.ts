// What a person does with the files of a registry: back them up, and accept that a key secret is lost.
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Where the commands write. */
export interface FileStreams {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
}

/** Writes a verified backup of a registry that may be in use; the exit code. */
export async function backupCommand(
  statePath: string | undefined,
  target: string,
  { stdout, stderr }: FileStreams,
): Promise<number> {
  const say = (message: string) => (stderr.write(`hubu-unified-mcp: ${message}\n`), 1)
  if (statePath === undefined || !existsSync(statePath)) return say(noRegistry)
  const { backupRegistry } = await import('../../operations/backup.ts')
  const file = path.resolve(target)
  try {
    const outcome = await backupRegistry(statePath, file)
    if (outcome.kind === 'refused') return say(refusals[outcome.why])
    const secret = outcome.hasSecret ? ` and its key secret (${file}.key-secret)` : ''
    stdout.write(
      `${outcome.operations} operations are in ${file}${secret}. Keep them together, where only you can read them.\n`,
    )
    return 0
  } catch {
    return say('The backup could not be written. Nothing is at its place. Is there room, and may you write there?')
  }
}

/** Says whether the key secret of a registry is the recorded one; with `isNew`, puts a new one in the place of a lost one. */
export async function secretCommand(
  statePath: string | undefined,
  isNew: boolean,
  { stdout, stderr }: FileStreams,
): Promise<number> {
  const say = (message: string) => (stderr.write(`hubu-unified-mcp: ${message}\n`), 1)
  if (statePath === undefined || !existsSync(statePath)) return say(noRegistry)
  const { readFileMarks, readOnly, openDatabase } = await import('../../storage/database.ts')
  const { applicationId } = await import('../../operations/schema.ts')
  const { keySecretState, replaceKeySecret } = await import('../../operations/key-secret.ts')
  const { randomBytes } = await import('node:crypto')
  try {
    if (readFileMarks(statePath).applicationId !== applicationId) return say(refusals.not_a_registry)
    const state = readOnly(statePath, (database) => keySecretState(database, statePath))
    if (state === 'fits' || state === 'not_recorded') {
      stdout.write(
        state === 'fits'
          ? 'The key secret is the one that the registry knows.\n'
          : 'No key secret is recorded yet. The next router that starts makes or takes one.\n',
      )
      return 0
    }
    const words =
      state === 'missing' ? 'The key secret is missing.' : 'The key secret is not the one that the registry knows.'
    if (!isNew) return say(`${words} Put the file back from the backup, or accept the loss with --new: ${forgets}`)
    const database = openDatabase(statePath)
    try {
      database
        .transaction(() => replaceKeySecret(database, statePath, new Date(), () => randomBytes(16).toString('hex')))
        .immediate()
    } finally {
      database.close()
    }
    stdout.write(`A new key secret is in place. ${forgets}\n`)
    return 0
  } catch {
    return say('The registry or the key secret cannot be read or written. Stop the routers and try again.')
  }
}

const forgets =
  'Calls that the registry knows keep their keys. A call that only a lost registry knew gets another key when it is delivered again, and Hubu charges it again.'

const noRegistry = 'There is no registry. Set HUBU_UNIFIED_OPERATION_STATE_PATH, or give --state-path FILE.'

const refusals = {
  exists: 'Something is at that place already. Name a file that does not exist; a backup never replaces one.',
  not_a_registry: 'The file is not a registry of this release.',
  damaged: 'The registry is damaged, so the copy was not kept. Keep the file and restore an earlier backup.',
} as const
