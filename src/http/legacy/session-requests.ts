// Requests that leave a note with the session in this process: its level, and the resources that it wants to hear of.
import { member } from '../../json/read.ts'
import type { News } from '../../wire/news.ts'
import type { Caller } from '../../wire/request.ts'
import type { SessionNotes } from '../sessions/notes.ts'

const mostUris = 1000

/** Notes what was answered with success. */
export async function noteAnswered(
  { method, params }: { method: string; params: unknown },
  notes: SessionNotes,
  { caller, news }: { caller: Caller; news: News | undefined },
): Promise<void> {
  const [level, uri] = [member(params, 'level'), member(params, 'uri')]
  if (method === 'logging/setLevel' && typeof level === 'string') notes.logLevel = level
  if (typeof uri !== 'string') return
  if (method === 'resources/unsubscribe') {
    notes.watched.get(uri)?.end()
    notes.watched.delete(uri)
  }
  if (method !== 'resources/subscribe' || notes.watched.has(uri) || notes.watched.size >= mostUris) return
  const onUpdated = (updated: string) => notes.send?.('notifications/resources/updated', { uri: updated })
  const watched = await news?.watch(uri, { caller, signal: new AbortController().signal, onUpdated })
  if (watched !== undefined) notes.watched.set(uri, watched)
}
