// What the compiler sees in a file.
import path from 'node:path'
import ts from 'typescript'
import type { Source } from './sources.ts'

/** What a file imports, as written: static, dynamic, types, re-exports. */
export function importsOf({ text }: Source): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
}

/** What a file imports when it runs: without what stands behind `import type` or `export type`. */
export function runningImportsOf(source: Source): string[] {
  const running = importsOf(source)
  for (const [, specifier] of source.text.matchAll(/^(?:import|export) type\b[^'";]*? from '([^']+)'/gm)) {
    const at = running.indexOf(specifier!)
    if (at >= 0) running.splice(at, 1)
  }
  return running
}

/** The file below the project's folder that a relative import means; undefined for packages and for `#generated`. */
export function targetOf(source: Source, specifier: string): string | undefined {
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(source.file), specifier) : undefined
}

/** The package that an import names: `@scope/name` or `name`; undefined for files, `#generated` and Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^[.#]|^node:/.test(specifier)) return undefined
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
}

/** Calls `visit` for each node of a file. */
export function walk({ file, text }: Source, visit: (node: ts.Node) => void): void {
  const step = (node: ts.Node) => {
    visit(node)
    ts.forEachChild(node, step)
  }
  step(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
}
