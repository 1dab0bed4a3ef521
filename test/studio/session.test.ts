import { expect, test } from 'vitest'
import { Keys } from '../../src/studio/session/keys.ts'
import { cookiesNamed, StudioSessions } from '../../src/studio/session/sessions.ts'
import { Tickets } from '../../src/studio/session/tickets.ts'

/** A clock that a test moves. */
function handClock() {
  let nowMs = 0
  const waiting = new Set<{ atMs: number; work: () => void }>()
  return {
    monotonicMs: () => nowMs,
    after(ms: number, work: () => void) {
      const one = { atMs: nowMs + ms, work }
      waiting.add(one)
      return () => void waiting.delete(one)
    },
    pass(ms: number) {
      nowMs += ms
      for (const one of [...waiting].filter(({ atMs }) => atMs <= nowMs)) {
        waiting.delete(one)
        one.work()
      }
    },
  }
}

let count = 0
const random = () => String(++count).padStart(43, 'k')

test('a key unlocks once, and not after ten minutes', () => {
  const clock = handClock()
  const keys = new Keys(clock, random, () => {})
  const first = keys.forTerminal()
  expect(keys.take(first)).toEqual({ kind: 'taken' })
  expect(keys.take(first)).toEqual({ kind: 'unusable', wasUsed: true })
  const second = keys.forTerminal()
  clock.pass(10 * 60_000)
  expect(keys.take(second)).toEqual({ kind: 'unusable', wasUsed: false })
})

test('a new link of the terminal makes the one before void', () => {
  const keys = new Keys(handClock(), random, () => {})
  const [first, second] = [keys.forTerminal(), keys.forTerminal()]
  expect(keys.take(first).kind).toBe('unusable')
  expect(keys.take(second).kind).toBe('taken')
})

test('wrong keys brake everybody for the rest of a minute, and many void what is outstanding', () => {
  const clock = handClock()
  let isVoid = false
  const keys = new Keys(clock, random, () => (isVoid = true))
  const good = keys.forTerminal()
  for (let wrong = 0; wrong < 20; wrong++) expect(keys.take('x').kind).toBe('unusable')
  expect(keys.take(good)).toEqual({ kind: 'braked', waitMs: 60_000 })
  for (let minute = 1; minute < 10; minute++) {
    clock.pass(60_000)
    for (let wrong = 0; wrong < 20; wrong++) keys.take('x')
  }
  clock.pass(60_000)
  expect(isVoid).toBe(true)
  expect(keys.take(good).kind).toBe('unusable')
})

test('a session needs its token and its cookie, among whatever else another port has set', () => {
  const sessions = new StudioSessions({ clock: handClock(), random, idleMs: 1000 })
  const [one, other] = [sessions.open(), sessions.open()]
  expect(sessions.find(one.token, ['foreign', one.cookie])).toBeDefined()
  expect(sessions.find(one.token, [other.cookie])).toBeUndefined()
  expect(sessions.find(undefined, [one.cookie])).toBeUndefined()
  expect(cookiesNamed('studio', 'xstudio=1; studio=a; studio2=3; studio=b')).toEqual(['a', 'b'])
})

test('a session ends when nobody is there, and of nine the one that is idle for longest', () => {
  const clock = handClock()
  const sessions = new StudioSessions({ clock, random, idleMs: 1000 })
  const first = sessions.open()
  const ended: string[] = []
  sessions.find(first.token, [first.cookie])!.endings.add((why) => ended.push(why))
  clock.pass(900)
  sessions.touch(sessions.find(first.token, [first.cookie])!)
  clock.pass(900)
  expect(ended).toEqual([])
  clock.pass(100)
  expect(ended).toEqual(['idle'])
  for (let more = 0; more < 9; more++) sessions.open()
  expect(sessions.size).toBe(8)
})

test('a ticket is of one session and one request, is used up, and is void after five wrong amounts', () => {
  const clock = handClock()
  const tickets = new Tickets(clock, random)
  const [mine, theirs] = [1, 2].map((id) => ({ id, endings: new Set<never>() }))
  const shown = { reviewDigest: 'sha256:1', expect: '2.50' }
  const ticket = tickets.issue(mine!, 'a', shown)
  expect(tickets.find(ticket, theirs!, 'a')).toBeUndefined()
  expect(tickets.find(ticket, mine!, 'b')).toBeUndefined()
  expect(tickets.find(ticket, mine!, 'a')).toMatchObject(shown)
  for (let wrong = 0; wrong < 5; wrong++) tickets.miss(ticket, mine!, 'a')
  expect(tickets.find(ticket, mine!, 'a')).toBeUndefined()
  const late = tickets.issue(mine!, 'a', shown)
  clock.pass(5 * 60_000)
  expect(tickets.find(late, mine!, 'a')).toBeUndefined()
})
