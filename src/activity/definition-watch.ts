import { createHash } from 'node:crypto'
import type { ListedTool } from '../downstream/admission/admit.ts'
import { withoutUnseen } from '../downstream/admission/clean-text.ts'
import { toolWords, type HeldBecause, type ReviewTools } from '../downstream/tool-review.ts'
import { canonicalJson } from '../json/canonical.ts'
import { isBusy, retryWhileBusy } from '../storage/busy.ts'
import type { Clock } from '../timing/clock.ts'
import { Pace } from '../timing/pace.ts'
import type { SeenTool, ToolDefinitions } from './tool-definitions.ts'

/** Where definitions are kept, and who hears of changes. */
export interface DefinitionWatchOptions {
  /** Opens the file; called when the first list comes, and again after a failure. */
  open(): ToolDefinitions
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep' | 'after' | 'turn'>
  /** A number from 0 to 1. */
  random(): number
  /** Sentences for the log; they hold names, never contents. */
  warn(message: string): void
}

/** Looks at what servers list. */
export interface DefinitionWatch {
  readonly review: ReviewTools
  /** Takes note of what is still to be noted, and closes the file. */
  close(): void
}

/** Nobody waits for what holds nothing: it is noted so long after it came. */
const restMs = 500
/** So often the file is looked at while something is held. */
const freedMs = 2000
/** Somebody else's writing takes no longer. */
const patience = { longestMs: 2000, pauseMs: [20, 60] } as const
/** So many tools are written at once. */
const slice = 200
/** Of a longer definition the beginning is kept; characters. */
const mostOfDefinition = 64 * 1024

type Review = { tools: Parameters<ReviewTools>[1] } & Parameters<ReviewTools>[2]
/** What is held of a server: tools in versions that nobody accepted, or everything. */
type Held = { tools: readonly SeenTool[] | 'unread' } & Pick<Review, 'onFreed' | 'signal'>

export function watchDefinitions({ open, clock, random, warn }: DefinitionWatchOptions): DefinitionWatch {
  const file = new KeptOpen(open)
  let hasWarned = false
  let isClosed = false
  const waiting = new Map<string, { review: Review; cancel(): void }>()
  const held = new Map<string, Held>()
  let cancelTick: (() => void) | undefined

  /** Gives the tools in versions that nobody accepted. Rejects when the file cannot be read or written. */
  async function note(server: string, { tools, isHolding }: Review): Promise<SeenTool[]> {
    const pace = new Pace(clock)
    const [seen, changed] = [new Map<string, SeenTool>(), new Set<string>()]
    for (const tool of tools) {
      const one = seenTool(tool)
      if (!seen.has(one.tool)) seen.set(one.tool, one)
      if (pace.isTurnOver) await pace.rest()
    }
    const all = [...seen.values()]
    for (let at = 0; at < all.length; at += slice) {
      const part = all.slice(at, at + slice)
      const now = await retryWhileBusy({ clock, random }, patience, () =>
        file.use((definitions) => definitions.note(server, part, clock.nowMs())),
      )
      for (const tool of now.changed) changed.add(tool)
      for (const tool of isHolding ? [] : now.fresh)
        warn(`the ${toolWords(tool)} of ${server} is defined otherwise than before; \`servers --changes\` shows how`)
      await clock.turn()
    }
    return all.filter(({ tool }) => changed.has(tool))
  }

  function hold(server: string, tools: Held['tools'], { onFreed, signal }: Review): void {
    if (tools.length === 0) held.delete(server)
    else held.set(server, { tools, onFreed, signal })
    if (held.size > 0 && !isClosed) return void (cancelTick ??= clock.after(freedMs, tick))
    cancelTick?.()
    cancelTick = undefined
  }

  /** Looks whether something that is held has been accepted, or can be known again. */
  function tick(): void {
    cancelTick = undefined
    for (const [server, { tools, onFreed, signal }] of held) {
      if (signal.aborted) {
        held.delete(server)
        continue
      }
      try {
        const isFree = file.use((definitions) =>
          tools === 'unread'
            ? definitions.changed().length >= 0
            : tools.some(({ tool, digest }) => definitions.isAccepted(server, tool, digest)),
        )
        // The next list says what is held from then on; one that cannot be read is asked for again.
        if (isFree) onFreed()
      } catch {
        // It is looked at again, like what is not free yet.
      }
    }
    if (held.size > 0 && !isClosed) cancelTick = clock.after(freedMs, tick)
  }

  function warnOnce(): void {
    if (!hasWarned) warn('changed definitions of tools cannot be recorded; HUBU_UNIFIED_ACTIVITY_PATH names the file')
    hasWarned = true
  }

  function noteLater(server: string, review: Review): void {
    waiting.get(server)?.cancel()
    if (isClosed) return
    const cancel = clock.after(restMs, () => {
      waiting.delete(server)
      void note(server, review).catch(warnOnce)
    })
    waiting.set(server, { review, cancel })
  }

  return {
    async review(server, tools, options) {
      const review = { tools, ...options }
      if (!options.isHolding) {
        held.delete(server)
        noteLater(server, review)
        return nothing
      }
      let found: Held['tools']
      try {
        found = await note(server, review)
      } catch {
        warnOnce()
        found = 'unread'
      }
      hold(server, found, review)
      const names = new Set(found === 'unread' ? [] : found.map(({ tool }) => tool))
      const isHeld = (name: string) => found === 'unread' || names.has(cleanName(name))
      const why: HeldBecause = found === 'unread' ? 'unread' : 'changed'
      return new Map(tools.flatMap(({ name }) => (isHeld(name) ? [[name, why] as const] : [])))
    },
    close() {
      isClosed = true
      cancelTick?.()
      for (const [server, { review, cancel }] of waiting) {
        cancel()
        try {
          file.use((definitions) => definitions.note(server, review.tools.map(seenTool), clock.nowMs()))
        } catch {
          // It will be listed again.
        }
      }
      waiting.clear()
      file.close()
    },
  }
}

/** The file, opened when it is needed; after a failure it is opened anew. */
class KeptOpen {
  readonly #open: () => ToolDefinitions
  #definitions: ToolDefinitions | undefined

  constructor(open: () => ToolDefinitions) {
    this.#open = open
  }

  /** Throws what opening or the work throws. */
  use<T>(work: (definitions: ToolDefinitions) => T): T {
    try {
      return work((this.#definitions ??= this.#open()))
    } catch (error) {
      if (!isBusy(error)) this.close()
      throw error
    }
  }

  close(): void {
    this.#definitions?.close()
    this.#definitions = undefined
  }
}

/** A name that differs from another only in what nobody sees is the same name. */
const cleanName = withoutUnseen

function seenTool(tool: ListedTool): SeenTool {
  const definition = canonicalJson(tool)
  const digest = createHash('sha256').update(definition).digest('hex')
  return { tool: cleanName(tool.name), digest, definition: definition.slice(0, mostOfDefinition) }
}

const nothing: ReadonlyMap<string, HeldBecause> = new Map()
