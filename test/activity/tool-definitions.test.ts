// Which versions of mounted servers' tools were seen, on a real file.
import { expect, test } from 'vitest'
import { definitionsIn } from '../../src/activity/open-definitions.ts'
import type { SeenTool } from '../../src/activity/tool-definitions.ts'
import { tempFolder } from '../support/temp-folder.ts'

const seen = (tool: string, definition: string): SeenTool => ({ tool, digest: `digest of ${definition}`, definition })

function world() {
  const folder = tempFolder()
  const definitions = definitionsIn(folder.file('activity.sqlite3'))
  let nowMs = 1000
  return {
    definitions,
    note: (...tools: SeenTool[]) => definitions.note('s', tools, nowMs++),
    [Symbol.dispose]() {
      definitions.close()
      folder[Symbol.dispose]()
    },
  }
}

test('what is seen first is accepted, and a tool that comes later, too', () => {
  using file = world()
  expect(file.note(seen('a', '1'))).toEqual({ changed: [], fresh: [] })
  expect(file.note(seen('a', '1'), seen('b', '1'))).toEqual({ changed: [], fresh: [] })
  expect(file.definitions.changed()).toEqual([])
})

test('a change is new once, and a change until it is accepted', () => {
  using file = world()
  file.note(seen('a', '1'))
  expect(file.note(seen('a', '2'))).toEqual({ changed: ['a'], fresh: ['a'] })
  expect(file.note(seen('a', '2'))).toEqual({ changed: ['a'], fresh: [] })
  expect(file.definitions.changed()).toEqual([{ server: 's', tool: 'a', accepted: '1', present: '2', atMs: 1001 }])
  expect(file.definitions.accept('other')).toEqual([])
  expect(file.definitions.accept('s')).toHaveLength(1)
  expect(file.note(seen('a', '2'))).toEqual({ changed: [], fresh: [] })
})

test('a tool that goes back to what was accepted is accepted, and its next change is one again', () => {
  using file = world()
  for (const definition of ['1', '2', '1']) file.note(seen('a', definition))
  expect(file.definitions.changed()).toEqual([])
  expect(file.note(seen('a', '2'))).toEqual({ changed: ['a'], fresh: ['a'] })
})

test('a tool that goes away and comes back otherwise has changed', () => {
  using file = world()
  file.note(seen('a', '1'), seen('b', '1'))
  file.note(seen('b', '1'))
  expect(file.note(seen('a', '2'), seen('b', '1')).changed).toEqual(['a'])
})

test('twenty versions are kept, and the accepted one', () => {
  using file = world()
  for (let version = 0; version < 50; version++) file.note(seen('a', String(version)))
  expect(file.definitions.changed()).toMatchObject([{ accepted: '0', present: '49' }])
  file.definitions.accept('s')
  expect(file.definitions.changed()).toEqual([])
})

test('the order of versions holds when the clock is set back', () => {
  using file = world()
  file.definitions.note('s', [seen('a', '1')], 5000)
  file.definitions.note('s', [seen('a', '2')], 10)
  expect(file.definitions.changed()).toMatchObject([{ present: '2' }])
})
