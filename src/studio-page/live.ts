// The stream of changes: what is to be read anew, and whether it is there.
import { effect, signal } from '@preact/signals'
import type { Topic } from '../studio/views/words.ts'
import { access, heldToken, lock } from './api.ts'

export const liveState = signal<'live' | 'reconnecting' | 'stopped'>('reconnecting')
/** Grows with each change of a topic. */
export const ticks = signal<Partial<Record<Topic | 'all', number>>>({})
/** What is read to people who do not see it. */
export const announced = signal('')

const silenceMs = 40_000
const hiddenMs = 60_000
const words: Record<string, string> = {
  idle: 'Locked, because nobody was here for a while.',
  ended: 'This session was ended.',
  expired: 'StudioSessions last twelve hours.',
  stopped: 'The studio was stopped.',
}

let lastId: string | undefined
let running: AbortController | undefined

function bump(topics: readonly (Topic | 'all')[]): void {
  ticks.value = topics.reduce((all, topic) => ({ ...all, [topic]: (all[topic] ?? 0) + 1 }), ticks.value)
}

/** Follows the session: connects while the page is unlocked and seen. */
export function startLive(): void {
  effect(() => {
    if (access.value === 'open') connect()
    else disconnect()
  })
  let hidden: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden)
    if (document.hidden) hidden = setTimeout(disconnect, hiddenMs)
    else if (running === undefined && access.value === 'open') connect()
  })
}

function disconnect(): void {
  running?.abort()
  running = undefined
}

function connect(): void {
  if (running !== undefined) return
  const own = (running = new AbortController())
  void (async () => {
    for (let failures = 0; !own.signal.aborted; failures++) {
      if (await follow(own.signal)) failures = 0
      if (own.signal.aborted) return
      liveState.value = 'reconnecting'
      const waitMs = Math.min(30_000, 1000 * 2 ** (failures + 1)) * (0.8 + Math.random() * 0.4)
      await new Promise((resolve) => setTimeout(resolve, failures === 0 ? 500 : waitMs))
    }
  })()
}

/** Reads one connection to its end; whether it ever told something. */
async function follow(signal: AbortSignal): Promise<boolean> {
  const own = new AbortController()
  const end = () => own.abort()
  signal.addEventListener('abort', end)
  let silence = setTimeout(end, silenceMs)
  let hasTold = false
  try {
    const headers: Record<string, string> = { 'X-Studio-Token': heldToken() ?? '' }
    if (lastId !== undefined) headers['Last-Event-ID'] = lastId
    const response = await fetch('/api/events', { headers, credentials: 'same-origin', signal: own.signal })
    if (response.status === 401) lock('This session has ended.')
    if (!response.ok || response.body === null) return false
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return hasTold
      clearTimeout(silence)
      silence = setTimeout(end, silenceMs)
      hasTold = true
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
  } catch {
    return hasTold
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', end)
  }
}

function take(block: string): void {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const mark = line.indexOf(': ')
    if (mark > 0) fields.set(line.slice(0, mark), line.slice(mark + 2))
  }
  const isFirst = lastId === undefined
  lastId = fields.get('id') ?? lastId
  const data = JSON.parse(fields.get('data') ?? '{}') as {
    topics?: Topic[]
    reason?: string
    inbox?: { begun: string[]; ended: { status: string }[] }
  }
  switch (fields.get('event')) {
    case 'hello':
      liveState.value = 'live'
      if (isFirst) bump(['all'])
      break
    case 'gap':
      bump(['all'])
      break
    case 'change':
      if (data.inbox?.begun.length) announced.value = 'A new spend waits for your decision.'
      else if (data.inbox?.ended.length) announced.value = `A spend was ${data.inbox.ended[0]!.status}.`
      bump(data.topics ?? [])
      break
    case 'locked':
      lock(words[data.reason ?? ''] ?? '')
      liveState.value = 'stopped'
      lastId = undefined
      break
    case undefined:
      break
  }
}
