// stdout belongs to the protocol: one stray line there breaks every client.
import ts from 'typescript'
import { expect, test } from 'vitest'
import { walk } from './imports.ts'
import { readSources, type Source } from './sources.ts'

/** Who may take the process's own stdout, and what for. */
const mayTakeStdout = ['src/main.ts', 'src/cli/']
/**
 * Who may name a stdout that is not the process's own or was handed in: the transport's wiring, commands that print to what
 * they were given, and the room that reads what mounted servers say.
 */
const mayNameStdout = [
  ...mayTakeStdout,
  ...['src/serve.ts', 'src/server/serve-stdio.ts', 'src/server/stdio-transport.ts'],
  ...['src/client-configs/output.ts', 'src/downstream/'],
]
/** This process, and no child of it. */
const ownProcess = /^(globalThis\.|context\.)?process$/

/** What a file does with stdout, by kind. */
function usesOf(source: Source): { takes: string[]; names: string[]; forbidden: string[] } {
  const found = { takes: [] as string[], names: [] as string[], forbidden: [] as string[] }
  walk(source, (node) => {
    const text = () => node.getText()
    if (ts.isIdentifier(node) && node.text === 'stdout') found.names.push(node.text)
    else if (ts.isPropertyAccessExpression(node)) {
      const owner = node.expression.getText()
      if (node.name.text === 'stdout' && ownProcess.test(owner)) found.takes.push(text())
      if (owner === 'console') found.forbidden.push(text())
    } else if (ts.isElementAccessExpression(node)) {
      if (/process\[['"]stdout['"]\]/.test(text())) found.takes.push(text())
    } else if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
      const isProcess = node.initializer !== undefined && ownProcess.test(node.initializer.getText())
      if (isProcess && /\bstdout\b/.test(node.name.getText())) found.takes.push(text())
    } else if (ts.isImportDeclaration(node)) {
      if (/^['"](node:)?process['"]$/.test(node.moduleSpecifier.getText())) found.forbidden.push(text())
    } else if (ts.isCallExpression(node)) {
      const isWrite = /\b(write|writeSync|writeFile|writeFileSync)$/.test(node.expression.getText())
      const target = node.arguments[0]?.getText() ?? ''
      if (isWrite && /^(1|['"]\/dev\/(stdout|fd\/1)['"])$/.test(target)) found.forbidden.push(text())
    } else if (ts.isPropertyAssignment(node) && /^fd:\s*1$/.test(text())) found.forbidden.push(text())
  })
  return found
}

const isIn = (places: readonly string[], file: string) => places.some((place) => file.startsWith(place))
const sources = readSources('src').map((source) => ({ file: source.file, ...usesOf(source) }))

test("only the version line and the commands take the process's stdout", () => {
  const wrong = sources.filter(({ file, takes }) => takes.length > 0 && !isIn(mayTakeStdout, file))
  expect(wrong.map(({ file, takes }) => `${file}: ${takes[0]}`)).toEqual([])
  expect(sources.some(({ takes }) => takes.length > 0)).toBe(true)
})

test('only the transport and the commands that were handed a stdout name one', () => {
  const wrong = sources.filter(({ file, names }) => names.length > 0 && !isIn(mayNameStdout, file))
  expect(wrong.map(({ file }) => file)).toEqual([])
})

test('every place that may name stdout still does, if it exists', () => {
  const inPlace = (place: string) => sources.filter(({ file }) => file.startsWith(place))
  const silent = mayNameStdout.filter(
    (place) => inPlace(place).length > 0 && !inPlace(place).some(({ names }) => names.length > 0),
  )
  expect(silent).toEqual([])
})

test('nobody prints over the console, another import of the process or a file descriptor', () => {
  expect(sources.flatMap(({ file, forbidden }) => forbidden.map((text) => `${file}: ${text}`))).toEqual([])
})

test.each([
  ['takes', 'process.stdout.write("x")'],
  ['takes', 'const { stdout } = process'],
  ['takes', 'globalThis.process.stdout.write("x")'],
  ['takes', "process['stdout'].write('x')"],
  ['names', 'streams.stdout.write("x")'],
  ['forbidden', 'console.log("x")'],
  ['forbidden', "import { stdout } from 'node:process'"],
  ['forbidden', 'writeSync(1, "x")'],
  ['forbidden', "writeFileSync('/dev/stdout', 'x')"],
] as const)('this test would catch what %s: %s', (kind, text) => {
  expect(usesOf({ file: 'src/x.ts', text })[kind]).not.toEqual([])
})
