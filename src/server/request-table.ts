// Which requests are open, and under which raw id the client knows them.
import type { IncomingRequest } from '../wire/incoming.ts'
import { decimalOf } from '../json/exact-number.ts'

/** A request that was begun and has no answer yet. */
export interface OpenRequest {
  readonly internalId: number
  readonly rawId: string
  readonly method: string
  isCancelled: boolean
}

/** A client may cancel what was answered already; so many closed calls are remembered for it. */
const rememberedRequests = 64

/** Gives every request an id of our own, whatever id the client chose, and two of the same. */
export class RequestTable {
  readonly #open = new Map<number, OpenRequest>()
  /** The tool calls that were closed last, oldest first. */
  readonly #closed: OpenRequest[] = []
  #lastId = 0

  /** How many requests are open. */
  get size(): number {
    return this.#open.size
  }

  /** Notes a request as open, under the next internal id. */
  open(request: IncomingRequest): OpenRequest {
    const entry = { internalId: ++this.#lastId, rawId: request.rawId, method: request.method, isCancelled: false }
    this.#open.set(entry.internalId, entry)
    return entry
  }

  get(internalId: number): OpenRequest | undefined {
    return this.#open.get(internalId)
  }

  close(internalId: number): void {
    const entry = this.#open.get(internalId)
    this.#open.delete(internalId)
    if (entry?.method !== 'tools/call') return
    this.#closed.push(entry)
    if (this.#closed.length > rememberedRequests) this.#closed.shift()
  }

  /** The internal id of the latest closed tool call with this raw id. */
  answered(rawId: string): number | undefined {
    return this.#closed.findLast((entry) => isSameId(entry.rawId, rawId))?.internalId
  }

  /** Marks the latest open request with this raw id as cancelled and gives it. Handshake and pings are never cancelled. */
  cancel(rawId: string): OpenRequest | undefined {
    let latest: OpenRequest | undefined
    for (const entry of this.#open.values()) {
      if (entry.isCancelled || entry.method === 'initialize' || entry.method === 'ping') continue
      if (isSameId(entry.rawId, rawId)) latest = entry
    }
    if (latest !== undefined) latest.isCancelled = true
    return latest
  }
}

/** Whether two raw ids are the same JSON value: `1` and `1.0` are, `1` and `"1"` are not. Objects must be spelled alike. */
export function isSameId(left: string, right: string): boolean {
  return left === right || idKey(left) === idKey(right)
}

function idKey(raw: string): string {
  if (raw.startsWith('"')) return raw.includes('\\') ? JSON.stringify(JSON.parse(raw)) : raw
  return /^-?\d/.test(raw) ? decimalOf(raw) : raw
}
