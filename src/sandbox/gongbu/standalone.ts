// An embedded Gongbu on its own, told everything by environment variables.
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makePrivateFolder } from '../../storage/make-folder.ts'
import { startGongbu, type GongbuOptions, type RunningGongbu } from './server.ts'
import { readSettings } from './settings-text.ts'

type Environment = Readonly<Record<string, string | undefined>>

const prefix = 'GONGBU_SANDBOX_'

/**
 * Starts a Gongbu and says on `stderr` where it listens; with diagnostics following there. Variables, each with the
 * prefix `GONGBU_SANDBOX_`:
 *
 * - `FOLDER`: where database, artifacts and the generated token live; created when absent. Required.
 * - `HOST`, `PORT`: where to listen. Default 127.0.0.1 and any free port.
 * - `PRODUCT_VERSION`, `SOURCE_COMMIT`: what `GET /version` says when no stamp is given. Default `0.2.0` and `unknown`.
 * - `TOKEN` or `TOKEN_FILE`: the callers' bearer. Default: `gongbu-sandbox-` and a random UUID, kept in `FOLDER/caller-token`
 *   with mode 0600.
 * - `OPERATOR_TOKEN`, `ADMIN_TOKEN`: see `GongbuOptions`.
 * - `HUBU_URL`, and `HUBU_TOKEN` or `HUBU_TOKEN_FILE`: the Hubu to call. Without a URL the mock Hubu is used.
 * - `SETTINGS`: a JSON object with members of `GongbuSettings` that are plain data. `promptMarkers` is on unless it says otherwise.
 *
 * Rejects with an Error that names the variable and never contains a secret.
 */
export async function runGongbuFromEnvironment(
  env: Environment,
  stderr: { write(text: string): unknown },
  options: { stamp?: GongbuOptions['stamp'] } = {},
): Promise<RunningGongbu> {
  const read = (name: string) => env[prefix + name] || undefined
  const folder = read('FOLDER')
  if (folder === undefined) throw new Error(`${prefix}FOLDER is not set`)
  makePrivateFolder(folder)
  const hubuUrl = read('HUBU_URL')
  const settings = readSettings(read('SETTINGS') ?? '{}')
  const running = await startGongbu({
    databasePath: path.join(folder, 'gongbu.sqlite3'),
    artifactFolder: path.join(folder, 'artifacts'),
    host: read('HOST'),
    port: readPort(read('PORT')),
    stamp: options.stamp ?? {
      productVersion: read('PRODUCT_VERSION') ?? '0.2.0',
      sourceCommit: read('SOURCE_COMMIT') ?? 'unknown',
    },
    callerToken: secret(env, 'TOKEN') ?? generatedToken(path.join(folder, 'caller-token')),
    operatorToken: read('OPERATOR_TOKEN'),
    adminToken: read('ADMIN_TOKEN'),
    hubu: { url: hubuUrl ?? '', token: secret(env, 'HUBU_TOKEN') ?? '' },
    settings: {
      ...(hubuUrl === undefined ? { mockHubu: {} } : {}),
      promptMarkers: true,
      ...settings,
      log: (line) => stderr.write(`${line}\n`),
    },
  })
  stderr.write(`gongbu sandbox listening on ${running.url}\n`)
  return running
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`${prefix}PORT is not a port`)
  return port
}

/** A secret from its variable or from the file that `…_FILE` names. */
function secret(env: Environment, name: string): string | undefined {
  const direct = env[prefix + name]
  if (direct) return direct
  const file = env[`${prefix}${name}_FILE`]
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new Error(`the file that ${prefix}${name}_FILE names cannot be read`)
  }
}

/** The token of an earlier start, or a new one in a file that only its owner may read. */
function generatedToken(file: string): string {
  try {
    writeFileSync(file, `gongbu-sandbox-${randomUUID()}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
