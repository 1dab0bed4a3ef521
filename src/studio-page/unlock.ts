// How a page gets its session: by a key in its address, by what it was before a reload, or by another tab.
import { access, heldToken, holdToken, lock, postJson, type Reply } from './api.ts'

const kept = 'hubu-studio'
const channel = new BroadcastChannel('hubu-studio')
const otherTabMs = 300

/** Before anything else: a key must not stay in the address. */
export async function start(): Promise<void> {
  const [, key] = /^#k=([A-Za-z0-9_-]+)$/.exec(location.hash) ?? []
  if (key !== undefined) history.replaceState(null, '', '#/inbox')
  answerOtherTabs()
  // Whoever served this address before us could see everything through such a worker.
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? []
  if (registrations.length > 0 || navigator.serviceWorker?.controller)
    return lock(
      'Another program used this port before and left a worker in this browser. Start the studio on another port.',
    )
  const before = sessionStorage.getItem(kept)
  sessionStorage.removeItem(kept)
  addEventListener('pagehide', () => {
    const token = heldToken()
    if (token !== undefined) sessionStorage.setItem(kept, token)
  })
  addEventListener('pageshow', () => sessionStorage.removeItem(kept))
  if (key !== undefined) return void (await unlock(key))
  if (before !== null) return holdToken(before)
  const theirs = await askOtherTabs()
  if (theirs === undefined) lock()
  else holdToken(theirs)
}

/** Unlocks with a key or a whole link. */
export async function unlock(text: string): Promise<Reply<{ token: string }>> {
  const key = /#k=([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? text.trim()
  const reply = await postJson<{ token: string }>('/api/session', { key })
  if (reply.ok) holdToken(reply.value.token)
  else lock(reply.error.message)
  return reply
}

function answerOtherTabs(): void {
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const token = heldToken()
    if (data === 'ask' && token !== undefined) channel.postMessage({ token })
  }
}

function askOtherTabs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const own = new BroadcastChannel('hubu-studio')
    const end = (token: string | undefined) => {
      own.close()
      resolve(token)
    }
    own.onmessage = ({ data }: MessageEvent<{ token?: string } | string>) => {
      if (typeof data === 'object' && typeof data.token === 'string') end(data.token)
    }
    own.postMessage('ask')
    setTimeout(() => end(undefined), otherTabMs)
  })
}

/** Tells the server that somebody is here, at most once a minute. */
export function watchActivity(): void {
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = () => {
    if (access.value !== 'open' || performance.now() - toldAt < 60_000) return
    toldAt = performance.now()
    void postJson('/api/session/active', {})
  }
  for (const name of ['keydown', 'pointerdown', 'touchstart']) addEventListener(name, tell, { passive: true })
}
