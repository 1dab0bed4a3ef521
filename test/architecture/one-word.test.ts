// One word means one thing in one place: what is exported once, nobody exports again, and what a shared room exports, nobody
// declares again.
import ts from 'typescript'
import { expect, test } from 'vitest'
import { readSources, type Source } from './sources.ts'

/** Rooms that all others may import: what they export is nobody else's to declare, exported or not. */
const shared = ['redaction', 'timing', 'json', 'errors', 'names', 'catalog', 'answers', 'storage']

/** Reads the contracts for itself, so that it cannot be wrong together with the router. */
const apart = 'sandbox'

interface Declaration {
  name: string
  file: string
  room: string
  isExported: boolean
}

/** Types, classes and functions that a file declares at its top. */
function declarationsOf({ file, text }: Source): Declaration[] {
  const room = file.split('/')[1] ?? file
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    return namesOf(statement).map((name) => ({ name, file, room, isExported }))
  })
}

function namesOf(statement: ts.Statement): string[] {
  if (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  )
    return statement.name === undefined ? [] : [statement.name.text]
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const isFunction =
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    return isFunction && ts.isIdentifier(name) ? [name.text] : []
  })
}

/** Names that are exported twice, or declared again although they could have been taken from a shared room, with where. */
function doublesOf(sources: readonly Source[]): string[] {
  const byName = new Map<string, Declaration[]>()
  for (const one of sources.flatMap(declarationsOf))
    if (one.room !== apart) byName.set(one.name, [...(byName.get(one.name) ?? []), one])
  const doubles = [...byName].filter(([, all]) => {
    const owners = all.filter(({ isExported }) => isExported)
    const ownRooms = new Set(owners.map(({ room }) => room))
    const isShared = owners.some(({ room }) => shared.includes(room))
    return owners.length > 1 || (isShared && all.some(({ room }) => !ownRooms.has(room)))
  })
  return doubles.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)
}

test('what is exported is declared once', () => {
  expect(doublesOf(readSources('src'))).toEqual([])
})

test.each([
  ['a type twice', 'export interface Row {}', 'export type Row = string'],
  ['a copy of a shared function', 'export function isObject() {}', 'const isObject = () => true'],
])('this test would catch %s', (_what, first, second) => {
  const pair = [
    { file: 'src/json/x.ts', text: first },
    { file: 'src/calls/y.ts', text: second },
  ]
  expect(doublesOf(pair)).toHaveLength(1)
})
