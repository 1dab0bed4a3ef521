import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

/**
 * Loads a CommonJS bundle beside this file, with V8's code cache when the build made one for this very Node.js: compiling
 * is most of what a cold start costs. A wrong or missing cache is ignored.
 */
export function loadBundle<T>(name: string, baseUrl: string): T {
  const file = fileURLToPath(new URL(name, baseUrl))
  const script = compileBundle(file, readCache(file))
  const module = { exports: {} }
  const evaluate = script.runInThisContext() as (exports: object, require: NodeJS.Require, module: object) => void
  evaluate(module.exports, createRequire(file), module)
  return module.exports as T
}

/** Compiles a bundle as the function that Node's own loader would make of it. */
export function compileBundle(file: string, cachedData: Buffer | undefined): vm.Script {
  const source = `(function (exports, require, module) {${readFileSync(file, 'utf8')}\n})`
  return new vm.Script(source, { filename: file, cachedData })
}

/** Where the code cache of a bundle lies. */
export const cacheFileOf = (file: string): string => `${file}.cache`

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(cacheFileOf(file))
  } catch {
    return undefined
  }
}
