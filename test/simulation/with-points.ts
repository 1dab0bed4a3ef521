import type { Registry } from '../../src/operations/registry.ts'
import type { Life } from './life.ts'

/** The registry with a place before and after each of its steps where a process may die or others may go first. */
export function withPoints(life: Life, registry: Registry): Registry {
  const around = <Room extends object>(name: string, room: Room): Room =>
    Object.fromEntries(
      Object.entries(room).map(([step, work]: [string, (...args: unknown[]) => Promise<unknown>]) => [
        step,
        async (...args: unknown[]) => {
          await life.point(`before ${name}.${step}`)
          const result = await work(...args)
          await life.point(`after ${name}.${step}`)
          return result
        },
      ]),
    ) as Room
  return {
    ...registry,
    spend: around('spend', registry.spend),
    execution: around('execution', registry.execution),
    worker: around('worker', registry.worker),
  }
}
