// Servers and health: what is configured, what changed, what `doctor` says.
import { aroundDifference } from '../../activity/definition-difference.ts'
import { ToolDefinitions } from '../../activity/tool-definitions.ts'
import type { Finding } from '../../doctor/finding.ts'
import type { SqliteDatabase } from '../../storage/database.ts'
import { quotedLabel, quotedText } from '../../terminal/quoted-text.ts'
import { offOf } from '../files/our-files.ts'
import { StudioError } from '../http/error-codes.ts'
import type { StudioRooms } from './rooms.ts'
import { get, json, post, type StudioRoute } from './route.ts'

const examinedEveryMs = 10_000
const keptMs = 60_000

const opened = new WeakMap<SqliteDatabase, ToolDefinitions>()

function definitionsOf(database: SqliteDatabase): ToolDefinitions {
  const known = opened.get(database) ?? new ToolDefinitions(database)
  opened.set(database, known)
  return known
}

interface Examination {
  atMs: number
  findings: Promise<Finding[]>
}
const examinations = new WeakMap<StudioRooms, Examination>()

const trying = new Set<string>()

/** Notifications are sent by `approvals watch`, which has its channels on its command line. */
const withoutChannels = {
  state: 'off',
  code: 'not_configured',
  message: 'This page sends no notifications itself.',
  remedy: 'Leave `hubu-unified-mcp approvals watch --desktop` running in a terminal; it tells of each request.',
}

export const healthRoutes: readonly StudioRoute[] = [
  get('/api/notices', () => json(withoutChannels)),
  post(
    '/api/notices/test',
    () => {
      throw new StudioError('not_found')
    },
    { channel: 'string' },
  ),
  post('/api/servers/NAME/try', async ({ rooms: { settings }, ids: [name] }) => {
    if (!settings.servers().some((one) => one.name === name && one.isEnabled)) throw new StudioError('not_found')
    if (trying.size > 0) throw new StudioError('busy')
    trying.add(name!)
    try {
      const { state, error, tools } = await settings.tryServer(name!)
      return json({ state, error: error === null ? null : quotedText(error), tools })
    } finally {
      trying.delete(name!)
    }
  }),
  get('/api/health', async ({ rooms }) => json(await healthOf(rooms, keptMs))),
  post('/api/health/examine', async ({ rooms }) => json(await healthOf(rooms, examinedEveryMs))),
  get('/api/servers', async ({ rooms }) => json(await serversOf(rooms))),
  get('/api/servers/NAME/tools', async ({ rooms, ids: [name] }) => {
    const { files, settings } = rooms
    const looked = await files.activity.look((database) => definitionsOf(database).changed())
    const isKnown = settings.servers().some((one) => one.name === name)
    if (!isKnown) throw new StudioError('not_found')
    if (looked.kind === 'fault') return json(offOf('activity', looked.fault))
    const items = looked.value
      .filter(({ server }) => server === name)
      .map(({ tool, accepted, present, atMs }) => {
        const [before, after] = aroundDifference(accepted, present)
        return {
          name: quotedLabel(tool),
          description: quotedText(''),
          changedAt: new Date(atMs).toISOString(),
          before: quotedText(before),
          after: quotedText(after),
        }
      })
    return json({ state: 'ready', items, next: null })
  }),
]

async function healthOf(rooms: StudioRooms, youngerMs: number) {
  const { clock, settings, sessions, streams, startedAtMs } = rooms
  const nowMs = clock.monotonicMs()
  const known = examinations.get(rooms)
  const isFresh = known !== undefined && nowMs - known.atMs < youngerMs
  const examination = isFresh ? known : { atMs: nowMs, findings: settings.examine() }
  examinations.set(rooms, examination)
  return {
    state: 'ready',
    findings: await examination.findings.catch((): Finding[] => {
      examinations.delete(rooms)
      const remedy = 'Run `hubu-unified-mcp doctor` in a terminal.'
      return [{ check: 'examination', status: 'failure', message: 'It could not be made.', remedy }]
    }),
    studio: {
      startedAt: new Date(startedAtMs).toISOString(),
      sessions: sessions.size,
      streams: streams.all,
      files: [],
    },
  }
}

async function serversOf({ desk, settings, files }: StudioRooms) {
  const [hubu, looked] = [
    await desk.get('/version'),
    await files.activity.look((database) => definitionsOf(database).changed()),
  ]
  const changed = looked.kind === 'read' ? looked.value : []
  const own = (name: 'Hubu', kind: 'hubu', isThere: boolean) => ({
    name: quotedLabel(name),
    kind,
    state: isThere ? 'reachable' : 'away',
    since: null,
    why: null,
    tools: 0,
    changed: 0,
    transport: 'http',
    command: null,
    host: null,
    seenBy: null,
  })
  const mounted = settings.servers().map((server) => ({
    name: quotedLabel(server.name),
    kind: 'mounted' as const,
    state: server.isEnabled ? 'configured' : 'disabled',
    since: null,
    why: null,
    tools: 0,
    changed: changed.filter((one) => one.server === server.name).length,
    transport: server.transport,
    command: server.command === null ? null : quotedLabel(server.command),
    host: server.host,
    seenBy: null,
  }))
  return { state: 'ready', items: [own('Hubu', 'hubu', hubu.kind === 'answer'), ...mounted] }
}
