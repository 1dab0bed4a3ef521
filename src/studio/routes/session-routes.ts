// Unlocking, further links, and the end of a session.
import { StudioError } from '../http/error-codes.ts'
import { streamChanges } from '../live/stream.ts'
import { get, json, nothing, post, written, type StudioRoute } from './route.ts'

const mostStreamsOfSession = 8
const mostStreams = 16

export const sessionRoutes: readonly StudioRoute[] = [
  {
    ...post(
      '/api/session',
      ({ rooms, body }) => {
        const { keys, sessions, bus, idleMs } = rooms
        const taken = keys.take(body.key as string)
        if (taken.kind === 'braked')
          throw new StudioError('too_many', { headers: { 'Retry-After': String(Math.ceil(taken.waitMs / 1000)) } })
        if (taken.kind === 'unusable') {
          if (taken.wasUsed) rooms.remark('A key that was used before was tried again.')
          throw new StudioError('key_unusable')
        }
        rooms.onUnlocked()
        const { cookie, token } = sessions.open()
        return {
          kind: 'json',
          status: 201,
          value: { token, idleSeconds: idleMs / 1000, revision: bus.revision },
          headers: { 'Set-Cookie': `${rooms.cookieName()}=${cookie}; Path=/; HttpOnly; SameSite=Strict` },
        }
      },
      { key: 'string' },
    ),
    isPublic: true,
  },
  post('/api/session/link', ({ rooms }) => {
    const made = rooms.keys.forPage()
    if (made === undefined) throw new StudioError('too_many')
    const expiresAt = new Date(rooms.clock.nowMs() + made.lifeMs).toISOString()
    return json({ link: `${rooms.origin()}/#k=${made.key}`, expiresAt })
  }),
  post('/api/session/active', ({ rooms, session }) => {
    rooms.sessions.touch(session)
    return nothing
  }),
  post('/api/session/end', ({ rooms, session }) => {
    rooms.sessions.end(session)
    return nothing
  }),
  get('/api/events', async ({ rooms, session, response, header }) => {
    const { streams, bus, sources, clock } = rooms
    const count = streams.ofSession.get(session.id) ?? 0
    if (count >= mostStreamsOfSession || streams.all >= mostStreams) throw new StudioError('too_many')
    streams.all++
    streams.ofSession.set(session.id, count + 1)
    await streamChanges({ response, session, lastEventId: header('last-event-id'), bus, sources, clock })
    streams.all--
    const left = (streams.ofSession.get(session.id) ?? 1) - 1
    if (left === 0) streams.ofSession.delete(session.id)
    else streams.ofSession.set(session.id, left)
    return written
  }),
  get('/api/state', async ({ rooms }) => {
    const { settings, desk, bus, files } = rooms
    const stateOf = async (name: 'registry' | 'results' | 'activity') => {
      const looked = await files[name].look(() => true)
      if (looked.kind === 'read') return 'ready'
      return looked.fault === 'not_ours' ? 'unreadable' : looked.fault
    }
    const [registry, results, activity] = await Promise.all((['registry', 'results', 'activity'] as const).map(stateOf))
    return json({
      product: settings.product,
      version: settings.version,
      sandbox: settings.isSandbox,
      readOnly: settings.isReadOnly,
      canDecide: !settings.isReadOnly && desk.canDecide(),
      revision: bus.revision,
      parts: { hubu: desk.state(), registry, results, activity, config: 'ready' },
    })
  }),
]
