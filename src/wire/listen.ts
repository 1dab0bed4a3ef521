// A subscription of the modern era: one request that is held open, and tells what changes until either side ends it.
import { invalidParams } from '../answers/refusals.ts'
import { isObject, member } from '../json/read.ts'
import { linkSignals } from '../timing/link-signals.ts'
import { metaKeys } from './modern.ts'
import { changingLists, type ChangingList, type ListDigests, type News, type WatchedResource } from './news.ts'
import type { CoreRequest } from './request.ts'

/** What was asked for, or what is honoured of it. */
interface Wanted {
  lists: ChangingList[]
  uris: string[]
}

/** So many resources one subscription may name. */
const mostUris = 1000

/**
 * Serves one subscription. Resolves when the router ends it or nothing of it is honoured; the answer is then sent as its end. Rejects
 * with the reason of its signal when nobody listens any more, and with `params_invalid`.
 */
export async function listen(
  { params, caller, signal, ending, rawId, port }: CoreRequest,
  news: News | undefined,
): Promise<object> {
  const wanted = readWanted(params)
  const id = JSON.parse(rawId ?? 'null') as unknown
  const tell = (method: string, more: object) =>
    port.notify(method, JSON.stringify({ ...more, _meta: { [metaKeys.subscription]: id } }))
  const isOver = () => signal.aborted || ending?.aborted === true
  const watched: WatchedResource[] = []
  const waiting: string[] = []
  let isAcknowledged = false
  const updated = (uri: string) => {
    if (!isAcknowledged) waiting.push(uri)
    else if (!isOver()) tell('notifications/resources/updated', { uri })
  }
  let told: ListDigests = news?.digests(caller) ?? {}
  const lists = wanted.lists.filter((list) => told[list] !== undefined)
  const check = () => {
    if (news === undefined || isOver()) return
    const now = news.digests(caller)
    const changed = lists.filter((list) => now[list] !== told[list])
    told = now
    for (const list of changed) tell(`notifications/${list}/list_changed`, {})
  }
  try {
    const uris: string[] = []
    for (const uri of wanted.uris) {
      // Whatever the reason, it is then not among what is honoured.
      const found = await news?.watch(uri, { caller, signal, onUpdated: updated }).catch(() => undefined)
      if (found === undefined) continue
      watched.push(found)
      uris.push(uri)
    }
    signal.throwIfAborted()
    tell('notifications/subscriptions/acknowledged', { notifications: asMembers({ lists, uris }) })
    isAcknowledged = true
    for (const uri of waiting) updated(uri)
    if (lists.length + uris.length > 0) {
      const stop = news?.onChange(check)
      // What changed while resources were being asked for.
      check()
      await whenAborted(signal, ending).finally(() => stop?.())
    }
    signal.throwIfAborted()
    return { _meta: { [metaKeys.subscription]: id } }
  } finally {
    for (const one of watched) one.end()
  }
}

function readWanted(params: unknown): Wanted {
  const asked = member(params, 'notifications')
  if (!isObject(asked)) throw invalidParams('notifications must be an object')
  const lists = changingLists.filter((list) => {
    const value = asked[`${list}ListChanged`]
    if (value !== undefined && typeof value !== 'boolean')
      throw invalidParams(`${list}ListChanged must be true or false`)
    return value === true
  })
  const { resourceSubscriptions: uris = [] } = asked
  if (!Array.isArray(uris) || uris.length > mostUris || uris.some((uri) => typeof uri !== 'string'))
    throw invalidParams(`resourceSubscriptions must be a list of at most ${mostUris} addresses`)
  return { lists, uris: [...new Set(uris as string[])] }
}

function asMembers({ lists, uris }: Wanted): object {
  return {
    ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  }
}

/** Resolves when one of the signals fires. */
function whenAborted(...signals: (AbortSignal | undefined)[]): Promise<void> {
  const { signal, release } = linkSignals(signals)
  return new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  }).finally(release)
}
