// What `doctor` is given about clients' entries: where they are, how they are started, what their routers are told.
import { startsSandbox } from '../client-configs/entry/server-entry.ts'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { deadPaths, optionOf, scriptOf } from '../client-configs/entry/dead-paths.ts'
import { findEntries, type FoundEntry } from '../client-configs/entry/find-entries.ts'
import { fromHome } from '../client-configs/environment.ts'
import { noteRivals } from '../client-configs/init/rivals.ts'
import { readDocumentFile } from '../documents/document-file.ts'
import { looksOf } from '../client-configs/init/plan.ts'
import { findClient } from '../client-configs/clients/client-list.ts'
import { openJournals } from '../client-configs/journal/journal.ts'
import { mendEntries, type MendedEntry } from '../client-configs/mend/mend-entries.ts'
import { configure } from '../config/configure.ts'
import type { Config } from '../config/load-config.ts'
import type { Place } from '../config/paths.ts'
import type { ClientEntries, RouterOfClients } from '../doctor/entries/client-entries.ts'
import { startEntry } from '../doctor/entries/start-entry.ts'
import { isObject } from '../json/read.ts'
import { realClock } from '../timing/clock.ts'
import { environmentOf, programOf } from './client-setup.ts'
import type { CliContext } from './context.ts'
import { configOf, withoutBackends } from './sandbox-config.ts'
import { sandboxFolder } from './sandbox-folder.ts'

/** A client gives up about then as well. */
const startLimitMs = 20_000
const versionLimitMs = 5000

/** Looks for the entries of all clients, or of the one that is named. Throws ClientConfigError for an unknown name. */
export function clientEntries(
  context: CliContext,
  name: string | undefined,
  onProgress: ClientEntries['onProgress'],
): ClientEntries {
  const environment = environmentOf(context)
  const program = programOf(context)
  const client = name === undefined ? undefined : findClient(name)
  const { entries, unreadable } = findEntries(environment, openJournals(environment.dataFolder), program, client)
  const { env, home, platform } = context.place
  return {
    entries,
    unreadable,
    isOfOneClient: client !== undefined,
    absent: () => (client === undefined || entries.length > 0 ? [] : [client.name]),
    routers: () =>
      routersOf(
        entries.filter(({ isTrusted, server }) => isTrusted && server.command !== undefined),
        context,
      ),
    deadPaths: (entry) => deadPaths(entry.server, { ...environment, cwd: entry.cwd }),
    rivals: ({ client, scope, cwd, file }) => {
      const { look } = looksOf(readDocumentFile(file))
      const where = { ...environment, cwd }
      return noteRivals({ client, scope, file }, where, program, look).map((sentence) =>
        sentence.replaceAll(`${home}${path.sep}`, `~${path.sep}`),
      )
    },
    start: ({ server, cwd }) =>
      startEntry(
        { command: server.command ?? '', args: server.args, env: server.env, cwd },
        { env, home, platform, clock: realClock, limitMs: startLimitMs },
      ),
    stampOf: ({ server }) => {
      const script = scriptOf(server.args ?? [])
      if (script === undefined || script === program.bundlePath) return Promise.resolve(undefined)
      return askStamp(server.command ?? '', script)
    },
    show: (file) => fromHome(file, environment),
    onProgress,
  }
}

/** Mends what can be mended without a question. */
export function mendClients(context: CliContext, name: string | undefined): MendedEntry[] {
  const environment = environmentOf(context)
  const [journals, program] = [openJournals(environment.dataFolder), programOf(context)]
  const client = name === undefined ? undefined : findClient(name)
  const { entries } = findEntries(environment, journals, program, client)
  const uid = context.process.getuid?.()
  return mendEntries(entries, { environment, journals, program, now: new Date(), uid })
}

/** The different routers among entries: what differs only in who names purchases, and in trust, is the same one. */
function routersOf(entries: readonly FoundEntry[], { place }: CliContext): RouterOfClients[] {
  const byKey = new Map<string, RouterOfClients>()
  for (const entry of entries) {
    const { args = [], env = {} } = entry.server
    const config = optionOf(args, '--config')
    const key = JSON.stringify([
      startsSandbox(entry.server),
      config,
      Object.entries(env).filter(([name]) => !isPersonal(name)),
    ])
    const known = byKey.get(key)
    if (known !== undefined) {
      if (!known.clients.includes(entry.client.name)) known.clients.push(entry.client.name)
      continue
    }
    const { HUBU_UNIFIED_CONFIG: _, ...bare } = withoutOurs(place.env)
    const variables = { ...bare, ...env }
    byKey.set(key, {
      clients: [entry.client.name],
      env: variables,
      isSandbox: startsSandbox(entry.server),
      configure: () => configOfEntry(entry, { ...place, env: variables }),
    })
  }
  return [...byKey.values()]
}

/** The settings that an entry's router will have; a sandbox finds its own backends when it is started. */
async function configOfEntry({ server }: FoundEntry, place: Place): Promise<Config> {
  const args = server.args ?? []
  const flags = { config: optionOf(args, '--config') }
  if (!startsSandbox(server)) return configure(place, flags)
  const settings = await configure(withoutBackends(place), flags, { isSandbox: true })
  return configOf(undefined, sandboxFolder(optionOf(args, '--data-folder'), place), settings)
}

const isPersonal = (name: string): boolean =>
  ['HUBU_MCP_TRUST_CLIENT_APPROVAL', 'HUBU_UNIFIED_IDENTITY', 'HUBU_UNIFIED_PRINCIPAL'].includes(name)

/** A client is not started from this shell. */
function withoutOurs(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('HUBU_')))
}

function askStamp(
  command: string,
  script: string,
): Promise<{ productVersion: string; sourceCommit: string } | undefined> {
  return new Promise((resolve) => {
    execFile(command, [script, '--version'], { timeout: versionLimitMs }, (error, out) => {
      if (error !== null) return resolve(undefined)
      try {
        const said: unknown = JSON.parse(out)
        if (!isObject(said)) return resolve(undefined)
        resolve({ productVersion: String(said.product_version), sourceCommit: String(said.source_commit) })
      } catch {
        resolve(undefined)
      }
    })
  })
}
