// Everything that routes speak to.
import type { Finding } from '../../doctor/finding.ts'
import type { Clock } from '../../timing/clock.ts'
import type { ApprovalPlaces } from '../operations/approval-places.ts'
import type { HubuDesk } from '../hubu/desk.ts'
import type { InboxReader } from '../hubu/inbox-reader.ts'
import type { OurFiles } from '../files/our-files.ts'
import type { Bus } from '../live/bus.ts'
import type { Sources } from '../live/sources.ts'
import type { Keys } from '../session/keys.ts'
import type { StudioSessions } from '../session/sessions.ts'
import type { Tickets } from '../session/tickets.ts'

/** One configured server, as far as it may be named. */
export interface NamedServer {
  name: string
  transport: string
  /** The last part of its command's path. */
  command: string | null
  host: string | null
  isEnabled: boolean
}

/** What a studio is told from outside. */
export interface StudioSettings {
  product: string
  version: string
  isSandbox: boolean
  isReadOnly: boolean
  /** The configured servers, or why they cannot be told. */
  servers(): NamedServer[]
  /** Starts one of them, lists its tools and stops it. */
  tryServer(name: string): Promise<{ state: string; error: string | null; tools: number }>
  /** What `doctor` finds here. */
  examine(): Promise<Finding[]>
  /** Notes in the registry's journal what a person has decided. Never throws. */
  note(approvalRequestId: string, text: string, decision: 'approve' | 'deny'): void
}

export interface StudioRooms {
  settings: StudioSettings
  origin(): string
  cookieName(): string
  idleMs: number
  clock: Clock
  keys: Keys
  sessions: StudioSessions
  tickets: Tickets
  files: OurFiles
  desk: HubuDesk
  inbox: InboxReader
  places: ApprovalPlaces
  bus: Bus
  sources: Sources
  startedAtMs: number
  streams: { all: number; ofSession: Map<number, number> }
  /** A line for the person at the terminal. */
  remark(text: string): void
  /** A key was used: the file that opened a browser is not needed any more. */
  onUnlocked(): void
}
