// One page's stream of changes.
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../timing/clock.ts'
import { securityHeaders } from '../http/answer.ts'
import type { StudioSession } from '../session/sessions.ts'
import type { Bus, ToldChange } from './bus.ts'
import type { Sources } from './sources.ts'

/** What a stream is made with. */
export interface StreamOptions {
  response: ServerResponse
  session: StudioSession
  lastEventId: string | undefined
  bus: Bus
  sources: Sources
  clock: Pick<Clock, 'every'>
}

const heartbeatMs = 15_000
/** A reader that is so far behind comes back and reads anew. */
const mostUnreadBytes = 64 * 1024
const retryMs = 2000

/** Writes until the reader goes or the session ends; resolves then. Never rejects. */
export async function streamChanges(options: StreamOptions): Promise<void> {
  const { response, session, lastEventId, bus, sources, clock } = options
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
    Connection: 'close',
  })
  response.socket?.setNoDelay(true)
  const gone = new Promise<void>((resolve) => void response.once('close', resolve))
  const write = (text: string) => {
    if (response.writableEnded) return
    response.write(text)
    if (response.writableLength > mostUnreadBytes) response.destroy()
  }
  const event = (name: string, id: string | undefined, data: unknown) =>
    write(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  const end = (reason: string) => {
    event('locked', undefined, { reason })
    response.end()
  }
  const change = ({ revision, topics, inbox }: ToldChange) =>
    event('change', revision, { topics, ...(inbox && { inbox }) })

  session.endings.add(end)
  write(`retry: ${retryMs}\n\n`)
  const letGo = await sources.hold()
  if (lastEventId !== undefined) {
    const missed = bus.since(lastEventId)
    if (missed.kind === 'change') change(missed.change)
    if (missed.kind === 'gap') event('gap', bus.revision, {})
  }
  event('hello', bus.revision, { revision: bus.revision })
  const stopListening = bus.listen(change)
  const stopBeating = clock.every(heartbeatMs, () => write(': hb\n\n'))
  if (!response.destroyed) await gone
  stopBeating()
  stopListening()
  letGo()
  session.endings.delete(end)
}
