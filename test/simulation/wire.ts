// The network between the processes and one backend, with everything that can become of a request on it.
import type { HttpOutcome, HttpRequest } from '../../src/backends/http-client.ts'
import { toOutcome, type Answer } from './answer.ts'
import { garble, refusalBeforeActing } from './bad-answers.ts'
import type { World } from './world.ts'

/** A backend in memory. */
export interface Backend {
  readonly name: 'hubu' | 'gongbu'
  readonly isUp: boolean
  /** Counts restarts: an answer of an earlier life reaches nobody. */
  readonly life: number
  receive(request: HttpRequest): Promise<Answer>
}

/** Who sends: its own time, which a death ends and a stall delays. */
export interface Caller {
  readonly name: string
  after(ms: number, work: () => void): void
}

/** The time for the whole of one request. */
export const totalTimeoutMs = 3000

/** Sends one request; resolves in the caller's time, or never when the caller dies. */
export type Exchange = (caller: Caller, request: HttpRequest, intent: number | undefined) => Promise<HttpOutcome>

export function createWire(world: World, backend: Backend): Exchange {
  const random = world.random(`wire ${backend.name}`)
  const strikes = (trouble: Parameters<World['strikes']>[0], probability: number) =>
    world.strikes(trouble, random, probability)

  return (caller, request, intent) =>
    new Promise((resolve) => {
      const tell = (what: string) => world.tell(caller.name, `${request.method} ${backend.name}: ${what}`, intent)
      let isSettled = false
      const settle = (outcome: HttpOutcome, ms: number, what: string) => {
        world.time.after(ms, () => {
          if (isSettled) return
          isSettled = true
          caller.after(0, () => {
            tell(what)
            resolve(outcome)
          })
        })
      }
      const arrive = (ms: number, hear: (answer: Answer | null) => void) =>
        world.time.after(ms, () => {
          if (!backend.isUp) return hear(null)
          const { life } = backend
          void backend.receive(request).then((answer) => hear(backend.life === life ? answer : null))
        })

      const outward = strikes('delay', 0.06) ? random.between(500, 20_000) : random.between(1, 30)
      const inward = random.between(1, 30)
      const isLost = strikes('lost_request', 0.06)
      const isUnheard = strikes('lost_reply', 0.08)
      const isDoubled = strikes('duplicate', 0.05)
      const isGarbled = strikes('garbage', 0.08)
      const isRefused = strikes('refusal', 0.04)
      const resetMs = random.chance(0.5) ? random.between(1, 500) : totalTimeoutMs

      if (!backend.isUp) return settle({ kind: 'not_connected' }, random.between(1, 5), 'not connected')
      tell('sent')
      settle({ kind: 'no_answer' }, totalTimeoutMs, 'no answer in time')
      if (isDoubled && !isRefused) arrive(outward + random.between(7000, 15_000), () => {})
      if (isLost) return settle({ kind: 'no_answer' }, resetMs, 'lost before it arrived')
      if (isRefused) {
        const answer = refusalBeforeActing(backend.name, random)
        return settle(toOutcome(answer), outward + inward, `refused with ${answer.status} before anything was done`)
      }
      arrive(outward, (answer) => {
        if (answer === null) return settle({ kind: 'no_answer' }, 1, 'connection reset')
        if (isUnheard) return settle({ kind: 'no_answer' }, resetMs, `answer ${answer.status} lost`)
        if (isGarbled) return settle(garble(answer, backend.name, random), inward, `answer ${answer.status} garbled`)
        settle(toOutcome(answer), inward, `answer ${answer.status}`)
      })
    })
}
