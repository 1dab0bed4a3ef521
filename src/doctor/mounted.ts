// The servers that a configuration mounts, and the names in its pins.
import type { GatewayConfig, ServerConfig } from '#generated/types/config.js'
import type { Variables } from '../config/environment.ts'
import { homeFolder } from '../config/paths.ts'
import { EntryProblem, expandEntry } from '../downstream/expand-entry.ts'
import { knownNames } from '../downstream/known-names.ts'
import { strayNames } from '../names/stray-names.ts'
import { mountsToLookAt } from './mounts-to-look-at.ts'
import { failure, ok, warning, type Finding } from './finding.ts'
import { expiredAt } from './token-age.ts'

/** Starts every enabled server as a router would, says which are not there and which pins mean nothing, and ends them. */
export async function checkMounted(
  gateway: GatewayConfig | undefined,
  env: Variables,
  nowMs: number,
): Promise<Finding[]> {
  const servers = gateway?.servers ?? {}
  if (gateway === undefined || Object.values(servers).every(({ enabled }) => enabled !== true)) return []
  const mounts = mountsToLookAt(gateway, { environment: { env, home: homeFolder(), platform: process.platform } })
  mounts.start()
  try {
    const views = mounts.servers().filter(({ isEnabled }) => isEnabled)
    await Promise.all(views.map(({ name }) => mounts.whenPublished(name)))
    const agents = Object.values(gateway.agents ?? {})
    const [known, told] = [knownNames(mounts), new Set<string>()]
    const stray = [{ pin: gateway.pin }, ...agents].flatMap((lists) => strayNames(lists, known, told))
    return [
      ...mounts.servers().flatMap(({ name, isEnabled, isConnected, tools, error, notes }): Finding[] => {
        if (!isEnabled) return []
        const check = `server ${name}`
        if (!isConnected)
          return [
            failure(check, error ?? 'has not answered yet', 'hubu-unified-mcp servers --verbose shows what it wrote.'),
          ]
        return [ok(check, `is mounted with ${tools.length} tools${oddities(notes)}`)]
      }),
      ...stray.map((sentence) => warning('pins', sentence, 'Correct the name in the configuration file.')),
      ...expiredTokens(servers, env, nowMs),
    ]
  } finally {
    await mounts.stop()
  }
}

/** So many are named; `servers` names all. */
const mostNotes = 3

/** What clients would not take of a server's lists, and what was done about it. */
function oddities(notes: readonly string[]): string {
  if (notes.length === 0) return ''
  const more = notes.length > mostNotes ? `; and ${notes.length - mostNotes} more, which \`servers\` names` : ''
  return `; ${notes.slice(0, mostNotes).join('; ')}${more}`
}

/** Tokens in what is sent to servers that say themselves that they are over. */
function expiredTokens(servers: NonNullable<GatewayConfig['servers']>, env: Variables, nowMs: number): Finding[] {
  return Object.entries(servers).flatMap(([name, settings]) =>
    valuesOf(settings, env).flatMap(([variable, value]) => {
      const at = expiredAt(value, nowMs)
      if (at === undefined) return []
      return [failure(`server ${name}`, `the token in ${variable} expired at ${at}`, 'Get a new one and put it there.')]
    }),
  )
}

/** What is sent to a server and set for it; nothing of an entry that cannot be used, which is told where it is started. */
function valuesOf(settings: ServerConfig, env: Variables): [string, string][] {
  try {
    const { headers, env: own } = expandEntry(settings, { env, home: homeFolder() })
    return [...Object.entries(headers), ...Object.entries(own)]
  } catch (error) {
    if (error instanceof EntryProblem) return []
    throw error
  }
}
