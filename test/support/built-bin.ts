import type { Metafile } from 'esbuild'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { buildInto } from '../../scripts/build.ts'

/** The stamp that end-to-end builds and their stub backends share. */
export const testStamp = { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) }

/** Builds the bin once into a folder of its own below the repository, where better-sqlite3 is found; with what esbuild tells of it. */
export async function buildBin(): Promise<{ bin: string; bundles: Metafile[] } & Disposable> {
  const folder = mkdtempSync(path.join(path.resolve('node_modules'), '.built-bin-'))
  const bundles = await buildInto(folder, testStamp)
  return {
    bin: path.join(folder, 'main.js'),
    bundles,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
