import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { makePrivateFolder } from '../storage/make-folder.ts'
import type { CodeCaches } from './loader.ts'
import { isOnlyOurs, readOnlyOurs } from './private-place.ts'

/** After the first answers, so that what they need is in the cache, and nobody waits for it. */
const quietMs = 1500

/** How many caches of one bundle stay: those of other releases and other Node.js that were made last. */
const mostOfABundle = 6

/** The parts of a process that the wiring gives. */
export interface Moments {
  /** Runs `work` later without keeping the process alive. */
  later(ms: number, work: () => void): void
  /** Runs `work` right before the process ends well. One that failed has not compiled what a session needs. */
  atGoodEnd(work: () => void): void
}

/**
 * Code caches in a folder of the user, for each Node.js that the build made none for: the first run makes them, later ones take them.
 * `folder` is asked when it is needed; undefined: there is none. A cache is code that we would run, so one is read and made only where
 * nobody else can write. Nothing is ever thrown: without a cache everything works and starts more slowly.
 */
export function keptCaches(folder: () => string | undefined, { later, atGoodEnd }: Moments): CodeCaches {
  const missing = new Map<string, { createCachedData(): Buffer }>()
  const keepAll = () => {
    for (const [file, script] of missing) keep(file, () => script.createCachedData())
    missing.clear()
  }
  const fileOf = (name: string, source: string) => {
    const at = folder()
    return at === undefined ? undefined : path.join(at, keptName(name, source))
  }
  return {
    read(name, source) {
      const file = fileOf(name, source)
      return file === undefined ? undefined : readOnlyOurs(file)
    },
    missed(name, source, script) {
      const file = fileOf(name, source)
      if (file === undefined) return
      if (missing.size === 0) {
        later(quietMs, keepAll)
        atGoodEnd(keepAll)
      }
      missing.set(file, script)
    },
  }
}

/** Unlike V8, which looks at the length of a source only, this tells every release from every other. */
function keptName(name: string, source: string): string {
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 32)
  return `${name}-${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}-${digest}.cache`
}

/** Makes a file that is whole whenever it is there. */
function keep(file: string, content: () => Buffer): void {
  const folder = path.dirname(file)
  const unready = `${file}.${process.pid}`
  try {
    makePrivateFolder(folder)
    if (!isOnlyOurs(folder)) return
    const descriptor = openSync(unready, 'wx', 0o600)
    try {
      const bytes = content()
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
      // After a loss of power it is the whole file or none: V8 does not check its sum.
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(unready, file)
    removeOldest(folder, path.basename(file).split('-v')[0]!)
  } catch {
    removeIfThere(unready)
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // Not even that: a later run removes it, as one of the oldest.
  }
}

function removeOldest(folder: string, bundle: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.startsWith(`${bundle}-v`))
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, changedMs: statSync(file).mtimeMs }))
    .sort((a, b) => b.changedMs - a.changedMs)
  for (const { file } of files.slice(mostOfABundle)) rmSync(file, { force: true })
}
