import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import vm from 'node:vm'

/** Where compiled code is kept besides what the build made. */
export interface CodeCaches {
  /** What this very Node.js kept of a bundle with this source, if anything that can be trusted. */
  read(name: string, source: string): Buffer | undefined
  /** A bundle was compiled for want of a cache that V8 takes. */
  missed(name: string, source: string, script: vm.Script): void
}

/**
 * Loads CommonJS bundles of one folder, each once, with V8's code cache where there is one for this very Node.js: compiling is most
 * of what a cold start costs. A wrong or missing cache is ignored. What a bundle requires of its folder is loaded in the same way.
 */
export function bundleLoader(folder: string, own: CodeCaches): <T>(name: string) => T {
  const loaded = new Map<string, { exports: object }>()
  const load = (name: string): object => {
    const known = loaded.get(name)
    if (known !== undefined) return known.exports
    const file = path.join(folder, name)
    const module = { exports: {} }
    const evaluate = compile(file, own).runInThisContext() as Evaluate
    const native = createRequire(file)
    const require = (id: string) => (/^\.\/[\w-]+\.cjs$/.test(id) ? load(id.slice(2)) : (native(id) as object))
    loaded.set(name, module)
    try {
      evaluate(module.exports, Object.assign(require, native), module)
    } catch (error) {
      loaded.delete(name)
      throw error
    }
    return module.exports
  }
  return <T>(name: string) => load(name) as T
}

/** A bundle as the function that Node's own loader would make of it. */
type Evaluate = (exports: object, require: NodeJS.Require, module: object) => void

function compile(filename: string, own: CodeCaches): vm.Script {
  const name = path.basename(filename)
  const source = `(function (exports, require, module) {${readFileSync(filename, 'utf8')}\n})`
  for (const find of [() => shippedCache(filename), () => own.read(name, source)]) {
    const cachedData = find()
    if (cachedData === undefined) continue
    const script = new vm.Script(source, { filename, cachedData })
    if (script.cachedDataRejected === false) return script
  }
  const script = new vm.Script(source, { filename })
  own.missed(name, source, script)
  return script
}

/** Where the build puts the code cache of a bundle: one for the Node.js that runs it. */
export const shippedCacheOf = (file: string): string => `${file}.${process.version}-${process.arch}.cache`

function shippedCache(file: string): Buffer | undefined {
  try {
    return readFileSync(shippedCacheOf(file))
  } catch {
    return undefined
  }
}
