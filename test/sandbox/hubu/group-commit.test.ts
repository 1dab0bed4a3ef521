import { expect, test } from 'vitest'
import { createGroupCommit } from '../../../src/sandbox/hubu/group-commit.ts'
import { openRows } from '../../../src/sandbox/hubu/rows.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { setup } from './setup.ts'
import { testHubu } from './start.ts'

function openLedger() {
  const folder = tempFolder()
  const database = openDatabase(folder.file('x.sqlite3'))
  database.exec('create table entry (id text primary key) strict')
  const rows = openRows(database)
  const due: (() => void)[] = []
  let commits = 0
  const counted = { ...rows, immediately: <R>(work: () => R) => (commits++, rows.immediately(work)) }
  return {
    commit: createGroupCommit(counted, (run) => due.push(run)),
    add: (id: string) => () =>
      rows.immediately(() => {
        rows.insert('entry', { id })
        return id
      }),
    /** Lets everything run that waits. */
    turn: () => due.splice(0).forEach((run) => run()),
    ids: () => rows.all<{ id: string }>('select id from entry order by id').map(({ id }) => id),
    commits: () => commits,
    [Symbol.dispose]() {
      database.close()
      folder[Symbol.dispose]()
    },
  }
}

test('what comes in one turn is committed at once, and answered in its order', async () => {
  using ledger = openLedger()
  const answers = Promise.all(['a', 'b', 'c'].map((id) => ledger.commit(ledger.add(id))))
  expect(ledger.ids()).toEqual([])
  ledger.turn()
  expect(await answers).toEqual(['a', 'b', 'c'])
  expect([ledger.ids(), ledger.commits()]).toEqual([['a', 'b', 'c'], 1])
})

test('one that fails takes nothing from the others', async () => {
  using ledger = openLedger()
  const answers = Promise.allSettled(['a', 'a', 'b'].map((id) => ledger.commit(ledger.add(id))))
  ledger.turn()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(ledger.ids()).toEqual(['a', 'b'])
})

test('one that comes alone, or while others run, has its own turn', async () => {
  using ledger = openLedger()
  let later: Promise<string> | undefined
  const first = ledger.commit(() => {
    later = ledger.commit(ledger.add('b'))
    return ledger.add('a')()
  })
  ledger.turn()
  expect(await first).toBe('a')
  expect(ledger.ids()).toEqual(['a'])
  ledger.turn()
  expect(await later).toBe('b')
})

test('spends that come at once never hold more than the budget has, and refusals among them change nothing', async () => {
  await using hubu = await testHubu()
  const { ready, authorize, balances } = setup(hubu)
  const { agent } = await ready(500, 500)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => authorize(agent, { key: `k${n}`, amount: n % 2 === 0 ? 100 : -1 })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(answers.filter(({ body }) => body.decision === 'allow')).toHaveLength(5)
  expect(await balances()).toEqual([0, 500, 0])
})
