// READ FIRST: everything of a studio, opened in order and ended in reverse.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../timing/clock.ts'
import { openOurFiles, type FilePaths } from './files/our-files.ts'
import { findPage, readPage } from './http/assets.ts'
import { createDispatch } from './http/dispatch.ts'
import { createStudioListener } from './http/listener.ts'
import { openDesk, type FindHubu } from './hubu/desk.ts'
import { createInboxReader } from './hubu/inbox-reader.ts'
import { Bus } from './live/bus.ts'
import { createSources } from './live/sources.ts'
import { createApprovalPlaces } from './operations/approval-places.ts'
import type { StudioRooms, StudioSettings } from './routes/rooms.ts'
import { Keys } from './session/keys.ts'
import { StudioSessions } from './session/sessions.ts'
import { Tickets } from './session/tickets.ts'
import type { Off } from './views/words.ts'

/** What a studio is started with. */
export interface StudioOptions {
  settings: StudioSettings
  paths: FilePaths
  findHubu: FindHubu
  /** What is said when Hubu gives no answer, and when it refuses the bearer. */
  words: { away: Off; refused: Off }
  port: number
  /** The origin that the browser uses where a port is forwarded. */
  origin: string | undefined
  idleMs: number
  clock: Clock
  remark(text: string): void
  onUnlocked(): void
}

/** A studio that serves. */
export interface Studio {
  origin: string
  /** A new link; the one before is void unless it was used. */
  newLink(): { link: string; expiresAt: string }
  /** Ends every stream and session, and closes everything. */
  stop(): Promise<void>
}

/** The page was not built. */
export class PageMissing extends Error {}

const keyLifeMs = 10 * 60_000

/** Rejects with PageMissing, or with the system's error when it cannot listen. */
export async function startStudio(options: StudioOptions): Promise<Studio> {
  const { settings, clock } = options
  const folder = findPage()
  if (folder === undefined) throw new PageMissing()
  const random = () => randomBytes(32).toString('base64url')
  const files = openOurFiles(options.paths, clock)
  const desk = openDesk(options.findHubu, options.words)
  const inbox = createInboxReader(desk, clock)
  const bus = new Bus(randomBytes(4).toString('hex'), clock)
  const tickets = new Tickets(clock, random)
  const sources = createSources({ files, inbox, bus, clock, lookedAt: () => tickets.approvals() })
  let origin = options.origin ?? ''
  const rooms: StudioRooms = {
    settings,
    origin: () => origin,
    cookieName: () => `hubu_studio_${new URL(origin).port || '80'}`,
    idleMs: options.idleMs,
    clock,
    keys: new Keys(clock, random, () => options.remark('Too many wrong keys: every outstanding link is void.')),
    sessions: new StudioSessions({ clock, random, idleMs: options.idleMs }),
    tickets,
    files,
    desk,
    inbox,
    places: createApprovalPlaces(files.registry, clock),
    bus,
    sources,
    startedAtMs: clock.nowMs(),
    streams: { all: 0, ofSession: new Map() },
    remark: options.remark,
    onUnlocked: () => options.onUnlocked(),
  }
  const page = readPage(folder, randomBytes(8).toString('hex'))
  const listener = createStudioListener(createDispatch(rooms, page), clock)
  const port = await listener.listen(options.port)
  origin ||= `http://127.0.0.1:${port}`
  return {
    origin,
    newLink: () => ({
      link: `${origin}/#k=${rooms.keys.forTerminal()}`,
      expiresAt: new Date(clock.nowMs() + keyLifeMs).toISOString(),
    }),
    async stop() {
      rooms.sessions.stop()
      // What was written last is on its way before the connections end.
      await clock.turn()
      sources.close()
      bus.close()
      listener.close()
      files.close()
      await desk.close()
    },
  }
}
