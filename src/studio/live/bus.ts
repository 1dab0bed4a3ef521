// What has changed: told to every stream at once, and kept for those that come back.
import type { Clock } from '../../timing/clock.ts'
import type { InboxStatus } from '../views/shown.ts'
import type { Topic } from '../views/words.ts'

/** What is told of the inbox besides that it changed. */
export interface InboxNews {
  waiting: number
  begun: string[]
  ended: { id: string; status: InboxStatus }[]
}

/** What is to be read anew. It never holds what is in it. */
export interface ToldChange {
  revision: string
  topics: Topic[]
  inbox?: InboxNews
}

/** What a stream that comes back has missed: nothing, a change, or so much that everything is to be read anew. */
export type Missed = { kind: 'nothing' } | { kind: 'change'; change: ToldChange } | { kind: 'gap' }

/** At most four changes a second. */
const paceMs = 250
const mostKept = 1024

/** Numbers changes; `epoch`: 8 hex digits of this process. */
export class Bus {
  readonly #epoch: string
  readonly #clock: Pick<Clock, 'monotonicMs' | 'after'>
  readonly #kept: { number: number; topics: Topic[]; inbox?: InboxNews }[] = []
  readonly #listeners = new Set<(change: ToldChange) => void>()
  readonly #pending = new Set<Topic>()
  #pendingNews: InboxNews | undefined
  #number = 0
  #toldAtMs = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined

  constructor(epoch: string, clock: Pick<Clock, 'monotonicMs' | 'after'>) {
    this.#epoch = epoch
    this.#clock = clock
  }

  get revision(): string {
    return `${this.#epoch}-${this.#number}`
  }

  /** Hears each change from now on, until the result is called. */
  listen(tell: (change: ToldChange) => void): () => void {
    this.#listeners.add(tell)
    return () => void this.#listeners.delete(tell)
  }

  /** Told soon, together with what else has changed meanwhile. */
  publish(topics: readonly Topic[], inbox?: InboxNews): void {
    for (const topic of topics) this.#pending.add(topic)
    if (inbox !== undefined) this.#pendingNews = merged(this.#pendingNews, inbox)
    const waitMs = this.#toldAtMs + paceMs - this.#clock.monotonicMs()
    if (waitMs <= 0) this.flush()
    else this.#cancel ??= this.#clock.after(waitMs, () => this.flush())
  }

  /** Tells what waits to be told. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#pending.size === 0) return
    const topics = [...this.#pending]
    const inbox = this.#pendingNews
    this.#pending.clear()
    this.#pendingNews = undefined
    this.#toldAtMs = this.#clock.monotonicMs()
    this.#kept.push({ number: ++this.#number, topics, ...(inbox && { inbox }) })
    if (this.#kept.length > mostKept) this.#kept.shift()
    const change = { revision: this.revision, topics, ...(inbox && { inbox }) }
    for (const tell of [...this.#listeners]) tell(change)
  }

  /** What has happened behind a revision. */
  since(revision: string): Missed {
    const [, epoch, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(revision) ?? []
    const number = Number(digits)
    const oldest = this.#kept[0]?.number ?? this.#number + 1
    if (epoch !== this.#epoch || number > this.#number || number + 1 < oldest) return { kind: 'gap' }
    if (number === this.#number) return { kind: 'nothing' }
    const missed = this.#kept.filter((one) => one.number > number)
    const topics = [...new Set(missed.flatMap((one) => one.topics))]
    const inbox = missed.reduce<InboxNews | undefined>(
      (before, one) => (one.inbox === undefined ? before : merged(before, one.inbox)),
      undefined,
    )
    return { kind: 'change', change: { revision: this.revision, topics, ...(inbox && { inbox }) } }
  }

  close(): void {
    this.#cancel?.()
    this.#listeners.clear()
  }
}

/** What began and ended within one change has ended. */
function merged(before: InboxNews | undefined, after: InboxNews): InboxNews {
  if (before === undefined) return after
  const ended = [...before.ended.filter(({ id }) => !after.ended.some((one) => one.id === id)), ...after.ended]
  const begun = [...new Set([...before.begun, ...after.begun])].filter((id) => !ended.some((one) => one.id === id))
  return { waiting: after.waiting, begun, ended }
}
