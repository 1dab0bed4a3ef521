// The subscription with a server of the modern era.
import { expect, test } from 'vitest'
import type { OpenSubscription } from '../../src/downstream/exchanges.ts'
import { Listening } from '../../src/downstream/listening.ts'
import type { CallOutcome } from '../../src/downstream/outcome.ts'
import { FakeClock } from '../support/fake-clock.ts'

interface Asked {
  uris: readonly string[]
  acknowledge(uris?: readonly string[]): void
  end(error?: CallOutcome): void
  isEnded: boolean
}

/** A server whose side of each subscription the test plays. */
function listening() {
  const clock = new FakeClock()
  const asked: Asked[] = []
  const missed: (readonly string[])[] = []
  const open = (params: Record<string, unknown>): OpenSubscription => {
    const { resourceSubscriptions: uris = [] } = params.notifications as { resourceSubscriptions?: string[] }
    let acknowledge = (_uris: readonly string[]) => {}
    let end = (_error: CallOutcome | undefined) => {}
    const one: Asked = {
      uris,
      acknowledge: (told = uris) => acknowledge(told),
      end: (error) => end(error),
      isEnded: false,
    }
    asked.push(one)
    return {
      acknowledged: new Promise((resolve) => (acknowledge = resolve)),
      ended: new Promise((resolve) => (end = resolve)),
      end: () => {
        one.isEnded = true
        end(undefined)
      },
    }
  }
  const made = new Listening({
    open,
    claim: {},
    onMissed: (uris) => void missed.push(uris),
    clock: { after: (ms, work) => clock.after(ms, work), turn: () => Promise.resolve() },
    random: () => 0,
  })
  return { clock, asked, missed, made }
}

const settled = () => new Promise(setImmediate)
const refusal: CallOutcome = { kind: 'error', code: -32000, message: 'too many' }

test('resources that come together are asked for once, and the former subscription ends when the next one stands', async () => {
  const { asked, made } = listening()
  void made.open()
  await settled()
  asked[0]?.acknowledge()
  const added = Promise.all(['a:1', 'a:2', 'a:3'].map((uri) => made.add(uri)))
  await settled()
  expect(asked.map(({ uris }) => uris)).toEqual([[], ['a:1', 'a:2', 'a:3']])
  expect(asked[0]?.isEnded).toBe(false)
  asked[1]?.acknowledge(['a:1', 'a:2'])
  expect((await added).map(({ kind }) => kind)).toEqual(['result', 'result', 'error'])
  expect(asked[0]?.isEnded).toBe(true)
})

test('a refusal is told, and the former subscription stays', async () => {
  const { asked, made } = listening()
  void made.open()
  await settled()
  asked[0]?.acknowledge()
  const added = made.add('a:1')
  await settled()
  asked[1]?.end(refusal)
  expect(await added).toBe(refusal)
  expect(asked[0]?.isEnded).toBe(false)
})

test('one that ends is opened anew after a pause, and what was missed is told; not by a server that has none', async () => {
  const { clock, asked, missed, made } = listening()
  const added = made.add('a:1')
  await settled()
  asked[0]?.acknowledge()
  await added
  asked[0]?.end()
  await settled()
  expect(asked).toHaveLength(1)
  clock.advance(1000)
  await settled()
  asked[1]?.acknowledge()
  await settled()
  expect(missed).toEqual([['a:1']])
  asked[1]?.end({ kind: 'error', code: -32601, message: 'no such method' })
  await settled()
  clock.advance(100_000)
  await settled()
  expect(asked).toHaveLength(2)
  made.close()
  expect(clock.pending).toBe(0)
})
