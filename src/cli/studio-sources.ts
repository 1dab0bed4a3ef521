// What a studio looks at: the sandbox of a folder, or what the environment names.
import { existsSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { GatewayConfig } from '#generated/types/config.js'
import { activityPath } from '../config/activity-path.ts'
import { buildStamp } from '../config/build-stamp.ts'
import { ConfigError } from '../config/config-error.ts'
import { readConfigFile } from '../config/config-file.ts'
import { configPath, configure } from '../config/configure.ts'
import { readBearer } from '../config/credentials.ts'
import { environmentVariables, readVariable } from '../config/environment.ts'
import { loadConfig } from '../config/load-config.ts'
import { readResultsSettings } from '../config/results-settings.ts'
import { examine } from '../doctor/examine.ts'
import { mountsToLookAt } from '../doctor/mounts-to-look-at.ts'
import { noteApproval } from '../operations/journal/approval-entries.ts'
import { Secret } from '../redaction/secret.ts'
import { readConnectionFile } from '../sandbox/connection-file.ts'
import type { NamedServer } from '../studio/routes/rooms.ts'
import type { StudioOptions } from '../studio/start.ts'
import type { Off } from '../studio/views/words.ts'
import { realClock } from '../timing/clock.ts'
import type { CliContext } from './context.ts'
import { sandboxFindings } from './doctor-sandbox.ts'
import { isSandbox, sandboxFolder, type SandboxFolderFlags } from './sandbox-folder.ts'

/** The flags of `studio`. */
export interface StudioFlags extends SandboxFolderFlags {
  config?: string
  statePath?: string
  port: number
  origin?: string
  open: boolean
  readOnly?: boolean
  idle: number
  json?: boolean
}

const off = (code: Off['code'], message: string, remedy: string): Off => ({ state: 'off', code, message, remedy })
const notRunning = off('not_running', 'The sandbox does not run now.', 'Start it: hubu-unified-mcp sandbox')
const refusedThere = off(
  'unauthorized',
  'The sandbox refused its own token.',
  'Start it anew: hubu-unified-mcp sandbox',
)
const notConfigured = off(
  'not_configured',
  'No Hubu is configured.',
  'Set HUBU_UNIFIED_HUBU_ENDPOINT and its bearer token, or start with --sandbox.',
)
const away = off('unavailable', 'Hubu cannot be reached.', 'Start Hubu, and check HUBU_UNIFIED_HUBU_ENDPOINT.')
const refused = off(
  'unauthorized',
  'Hubu does not accept the bearer token.',
  'Correct HUBU_UNIFIED_HUBU_BEARER_TOKEN and start the studio again.',
)

type Sources = Pick<StudioOptions, 'settings' | 'paths' | 'findHubu' | 'words'>

/** Throws ConfigError. */
export function studioSources(flags: StudioFlags, context: CliContext): Sources {
  return isSandbox(flags) ? ofSandbox(flags, context) : ofEnvironment(flags, context)
}

function ofSandbox(flags: StudioFlags, context: CliContext): Sources {
  const folder = sandboxFolder(flags.dataFolder, context.place)
  const beside = (name: string) => path.join(folder, name)
  const paths = {
    registry: beside('registry.sqlite3'),
    results: beside('results.sqlite3'),
    activity: beside('activity.sqlite3'),
  }
  return {
    paths,
    words: { away: notRunning, refused: refusedThere },
    // Read each time: who serves a sandbox may change, and with it its ports.
    findHubu: () => {
      const { tokens, serving } = readConnectionFile(folder) ?? {}
      if (tokens === undefined || !serving) return notRunning
      return {
        endpoint: new URL(`http://127.0.0.1:${serving.hubuPort}`),
        bearer: new Secret(tokens.hubu),
        capability: flags.readOnly ? undefined : new Secret(tokens.approval),
      }
    },
    settings: settingsOf(flags, context, paths.registry, async () =>
      existsSync(beside('lock.sqlite3'))
        ? [...(await machineFindings(context)), ...(await sandboxFindings(flags, context))]
        : machineFindings(context),
    ),
  }
}

function ofEnvironment(flags: StudioFlags, context: CliContext): Sources {
  const { process, place } = context
  const config = loadConfig(process.env, { place })
  const { HUBU_APPROVAL_TOKEN: direct, HUBU_APPROVAL_TOKEN_FILE: file } = process.env
  const named = file || (existsSync('hubu.approval-token') ? 'hubu.approval-token' : undefined)
  const capability = flags.readOnly ? undefined : readBearer('hubu approval', direct, named)
  const { hubu } = config
  const statePath = flags.statePath ?? readVariable(process.env, environmentVariables.statePath)
  const registry = statePath === undefined ? undefined : path.resolve(statePath)
  const read = (name: string) => readVariable(place.env, name)
  return {
    paths: { registry, results: readResultsSettings(read, { place }).path, activity: activityPath(place) },
    words: { away, refused },
    findHubu: () => (hubu === undefined ? notConfigured : { endpoint: hubu.endpoint, bearer: hubu.bearer, capability }),
    settings: settingsOf(flags, context, registry, () => machineFindings(context, flags)),
  }
}

async function machineFindings({ process, place }: CliContext, flags?: StudioFlags) {
  const config = flags?.config === undefined ? {} : { config: flags.config }
  const findings = await examine({
    env: process.env,
    configure: async () => ({ ...(await configure(place, config)), gateway: undefined }),
    stamp: buildStamp,
    nodeVersion: process.version,
    nowMs: () => Date.now(),
  })
  // Of a sandbox only what concerns the machine; what the shell sets does not count there.
  return flags === undefined ? findings.filter(({ check }) => ['node', 'sqlite', 'release'].includes(check)) : findings
}

function settingsOf(
  flags: StudioFlags,
  { place }: CliContext,
  registry: string | undefined,
  findings: Sources['settings']['examine'],
): Sources['settings'] {
  const configured = (): GatewayConfig => {
    try {
      const file = configPath(place, flags)
      return file === undefined ? {} : readConfigFile(file)
    } catch (error) {
      if (error instanceof ConfigError) return {}
      throw error
    }
  }
  return {
    product: 'hubu-unified-mcp',
    version: buildStamp.productVersion,
    isSandbox: isSandbox(flags),
    isReadOnly: flags.readOnly === true,
    servers: () => Object.entries(configured().servers ?? {}).map(([name, entry]) => serverOf(name, entry)),
    examine: findings,
    note: (approvalRequestId, text, decision) => {
      const look = { approvalRequestId, text, decision, uid: process.getuid?.() ?? null }
      try {
        noteApproval(registry, look, realClock, randomBytes(16).toString('hex'))
      } catch {
        // The decision is taken and does not depend on it.
      }
    },
    tryServer: async (name) => {
      const settings = configured()
      const servers = Object.fromEntries(Object.entries(settings.servers ?? {}).filter(([known]) => known === name))
      const mounts = mountsToLookAt({ ...settings, servers }, { environment: place })
      mounts.start()
      try {
        await mounts.whenPublished(name)
        const [view] = mounts.servers()
        const error = view?.error ?? null
        return { state: view?.isConnected === true ? 'connected' : 'failed', error, tools: view?.tools.length ?? 0 }
      } finally {
        await mounts.stop()
      }
    },
  }
}

function serverOf(name: string, entry: NonNullable<GatewayConfig['servers']>[string]): NamedServer {
  const { command, url, transport, enabled } = entry as Record<string, unknown>
  const host = typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null
  return {
    name,
    transport: host === null ? 'stdio' : typeof transport === 'string' ? transport : 'http',
    command: typeof command === 'string' ? path.basename(command) : null,
    host,
    isEnabled: enabled !== false,
  }
}
