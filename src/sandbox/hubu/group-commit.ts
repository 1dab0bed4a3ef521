import type { Rows } from './rows.ts'

/** Runs work and answers once its changes are on disk. */
export type Commit = <Result>(work: () => Result) => Promise<Result>

/**
 * Commits together what comes together: waiting for the disk costs far more than deciding, and nobody else is served meanwhile.
 * Each work is all or nothing by a transaction of its own, which lies within the common one. If any of them fails, or the common
 * commit does, everything is taken back and each is run again alone: nobody has had an answer yet. `soon` runs a
 * callback when everything else that is ready has run.
 */
export function createGroupCommit(rows: Rows, soon: (run: () => void) => unknown = setImmediate): Commit {
  type Waiting = { work: () => unknown; settle(outcome: () => unknown): void }
  let waiting: Waiting[] = []

  function run(): void {
    const group = waiting
    waiting = []
    const results = group.length > 1 ? together(group) : undefined
    group.forEach(({ work, settle }, index) => settle(results === undefined ? work : () => results[index]))
  }

  function together(group: readonly Waiting[]): unknown[] | undefined {
    try {
      return rows.immediately(() => group.map(({ work }) => work()))
    } catch {
      return undefined
    }
  }

  return <Result>(work: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      const settle = (outcome: () => unknown) => {
        try {
          resolve(outcome() as Result)
        } catch (error) {
          reject(error as Error)
        }
      }
      waiting.push({ work, settle })
      if (waiting.length === 1) soon(run)
    })
}
