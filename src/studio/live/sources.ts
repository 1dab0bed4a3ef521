// Notices what changes in the files and at Hubu. Nothing runs while nobody listens.
import type { Clock } from '../../timing/clock.ts'
import type { OurFiles } from '../files/our-files.ts'
import type { InboxReader } from '../hubu/inbox-reader.ts'
import type { InboxStatus } from '../views/shown.ts'
import type { Topic } from '../views/words.ts'
import type { Bus, InboxNews } from './bus.ts'

/** What is watched, and who is told. */
export interface SourceOptions {
  files: OurFiles
  inbox: Pick<InboxReader, 'waiting' | 'approval'>
  bus: Bus
  /** Approvals that somebody looks at: of those is told also what began and ended between two looks. */
  lookedAt(): string[]
  clock: Pick<Clock, 'monotonicMs' | 'after' | 'sleep'>
}

/** Watches while it is held. */
export interface Sources {
  /** Resolves after the first look of each source, or after half a second; the result lets go. */
  hold(): Promise<() => void>
  /** Looks at Hubu at once. */
  hurry(): void
  /** Approvals that were seen to wait since the start. */
  seen(): readonly string[]
  close(): void
}

const fileEveryMs = 1000
const hubuEveryMs = 2000
const longestRestMs = 30_000
/** Hubu answers one question at a time: it rests at least so many times as long as an answer took. */
const restFactor = 20
const firstLookMs = 500
const mostSeen = 2000

const topicsOf: Record<'registry' | 'results' | 'activity', Topic[]> = {
  registry: ['operations', 'money'],
  results: ['results', 'usage'],
  activity: ['servers', 'notices'],
}

export function createSources({ files, inbox, bus, lookedAt, clock }: SourceOptions): Sources {
  const versions = new Map<keyof typeof topicsOf, string | undefined>()
  const seen = new Set<string>()
  let waiting: ReadonlySet<string> | undefined
  const endedOf = createEndings(inbox, lookedAt)
  let isAway: boolean | undefined
  let holders = 0
  let restMs = hubuEveryMs
  let cancelFiles = () => {}
  let cancelHubu = () => {}
  let looking: Promise<void> | undefined
  let isHurried = false

  function lookAtFiles(): void {
    for (const name of Object.keys(topicsOf) as (keyof typeof topicsOf)[]) {
      const version = files[name].version()
      const isKnown = versions.has(name)
      if (isKnown && versions.get(name) !== version) {
        bus.publish(topicsOf[name])
        if (name === 'registry') hurry()
      }
      versions.set(name, version)
    }
  }

  async function lookAtHubu(): Promise<void> {
    const startedMs = clock.monotonicMs()
    const found = await inbox.waiting()
    const tookMs = clock.monotonicMs() - startedMs
    if (found.kind !== 'found') {
      if (isAway === false) bus.publish(['inbox', 'money'])
      isAway = true
      restMs = Math.min(longestRestMs, Math.max(hubuEveryMs, restMs * 1.5))
      return
    }
    restMs = Math.max(hubuEveryMs, tookMs * restFactor)
    const cameBack = isAway === true
    isAway = false
    const present = new Set(found.value.workflows.map(({ id }) => id))
    for (const id of present) {
      seen.add(id)
      if (seen.size > mostSeen) seen.delete(seen.values().next().value!)
    }
    const before = waiting
    waiting = present
    const ended = await endedOf(before ?? new Set(), present)
    const begun = before === undefined ? [] : [...present].filter((id) => !before.has(id))
    if (before === undefined || (begun.length === 0 && ended.length === 0)) {
      if (cameBack) bus.publish(['inbox', 'money'])
      return
    }
    const news: InboxNews = { waiting: present.size, begun, ended }
    bus.publish(['inbox', 'money', 'operations'], news)
  }

  function look(): Promise<void> {
    return (looking ??= lookAtHubu().finally(() => {
      looking = undefined
      schedule()
    }))
  }

  function schedule(): void {
    cancelHubu()
    if (holders === 0) return
    const waitMs = isHurried ? 0 : restMs
    isHurried = false
    cancelHubu = clock.after(waitMs, () => void look())
  }

  function hurry(): void {
    if (holders === 0) return
    isHurried = true
    if (looking === undefined) schedule()
  }

  function everyFile(): void {
    cancelFiles = clock.after(fileEveryMs, () => {
      lookAtFiles()
      everyFile()
    })
  }

  return {
    async hold() {
      if (holders++ === 0) everyFile()
      lookAtFiles()
      cancelHubu()
      await Promise.race([look(), clock.sleep(firstLookMs)])
      bus.flush()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        if (--holders > 0) return
        cancelFiles()
        cancelHubu()
      }
    },
    hurry,
    seen: () => [...seen].reverse(),
    close() {
      holders = 0
      cancelFiles()
      cancelHubu()
    },
  }
}

/** Tells, of each request once, what waited before and waits no more, and what is looked at and was decided since. */
function createEndings(
  inbox: SourceOptions['inbox'],
  lookedAt: SourceOptions['lookedAt'],
): (before: ReadonlySet<string>, present: ReadonlySet<string>) => Promise<InboxNews['ended']> {
  let told = new Map<string, 'pending' | InboxStatus>()
  return async (before, present) => {
    const asked = lookedAt()
    const known = new Map<string, 'pending' | InboxStatus>()
    const ended: InboxNews['ended'] = []
    for (const id of new Set([...[...before].filter((one) => !present.has(one)), ...asked])) {
      if (present.has(id)) {
        known.set(id, 'pending')
        continue
      }
      const was = told.get(id)
      if (was !== undefined && was !== 'pending') {
        known.set(id, was)
        continue
      }
      const found = await inbox.approval(id)
      if (found.kind !== 'found' || found.value.status === 'pending') continue
      const { status } = found.value
      ended.push({ id, status })
      known.set(id, status)
    }
    told = known
    return ended
  }
}
