import type { SqliteDatabase } from '../../src/storage/database.ts'

/** When a disk fails: before a transaction, at its commit, or never. */
export type Failure = { at: 'begin' | 'commit' | 'never'; code: string }

/** The opened file behind a disk that fails as the test says. What fails is rolled back, as SQLite does it. */
export function throughFailingDisk(database: SqliteDatabase, failure: Failure): SqliteDatabase {
  const fail = () => {
    throw Object.assign(new Error(failure.code), { code: failure.code })
  }
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'transaction') {
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      }
      return (work: (...given: unknown[]) => unknown) => ({
        immediate: (...given: unknown[]) => {
          if (failure.at === 'begin') fail()
          return target
            .transaction(() => {
              const found = work(...given)
              if (failure.at === 'commit') fail()
              return found
            })
            .immediate()
        },
      })
    },
  })
}
