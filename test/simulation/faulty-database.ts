// The real registry file behind a door where processes die and disks fail.
import type { SqliteDatabase } from '../../src/storage/database.ts'
import { ProcessDied, type Life } from './life.ts'
import type { World } from './world.ts'

/** What the registry's disk is like for everybody: well, locked by a stranger, full or failing. */
export type Weather = { state: 'well' | 'locked' | 'full' | 'failing' }

/** The weather of one schedule changes by itself. */
export function createWeather(world: World): Weather {
  const random = world.random('weather')
  const weather: Weather = { state: 'well' }
  const next = () =>
    world.time.after(random.between(300, 15_000), () => {
      const state = random.pick(['locked', 'full', 'failing'] as const)
      const ms = random.between(50, state === 'locked' ? 6500 : 3000)
      if (world.strikes('registry', random, 0.6)) {
        weather.state = state
        world.tell('world', `the registry is ${state} for ${ms} ms`)
        world.time.after(ms, () => {
          weather.state = 'well'
        })
      }
      if (!world.isCalm) next()
    })
  next()
  return weather
}

/** What happens around a transaction. */
export interface DoorOptions {
  world: World
  life: Life
  weather: Weather
  /** Called after each commit; whether it wrote anything. */
  onCommitted(hasWritten: boolean): void
  /** Prepares every statement that has `part` with `instead` in its place. */
  planted: { part: string; instead: string } | undefined
}

/** The opened file as one process sees it. Its handle closes with the process. */
export function throughDoor(
  database: SqliteDatabase,
  options: DoorOptions,
): { database: SqliteDatabase; hasPlanted(): boolean } {
  const { life, weather, world, planted } = options
  let places = 0
  const fail = (code: string) => {
    life.disturbedAtMs = Math.max(life.disturbedAtMs, world.time.nowMs)
    throw Object.assign(new Error(code), { code })
  }
  const close = () => database.open && !database.inTransaction && database.close()
  life.onDeath(close)
  const countWritten = database.prepare<[], number>('select total_changes()').pluck()
  const immediately = <T>(work: () => T): T => {
    life.syncPoint('begin')
    if (weather.state === 'locked') fail('SQLITE_BUSY')
    if (weather.state === 'failing') fail('SQLITE_IOERR_READ')
    const before = countWritten.get()
    const result = database
      .transaction(() => {
        const found = work()
        life.syncPoint('commit')
        if (weather.state === 'full') fail('SQLITE_FULL')
        return found
      })
      .immediate()
    options.onCommitted(countWritten.get() !== before)
    life.syncPoint('committed')
    return result
  }
  const door = {
    prepare: (sql: string) => {
      if (planted === undefined || !sql.includes(planted.part)) return database.prepare(sql)
      places++
      return database.prepare(sql.replace(planted.part, planted.instead))
    },
    pragma: (text: string, more?: { simple: boolean }) => database.pragma(text, more),
    transaction: <Given extends unknown[], T>(work: (...given: Given) => T) => ({
      immediate: (...given: Given) => {
        try {
          return immediately(() => work(...given))
        } catch (error) {
          if (error instanceof ProcessDied) close()
          throw error
        }
      },
    }),
    close,
  }
  return { database: door as unknown as SqliteDatabase, hasPlanted: () => places > 0 }
}
