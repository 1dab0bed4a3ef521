import type { Metafile } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Folders of the packages of which code stands in the bundles, relative to where these were made, sorted. */
export function bundledPackages(bundles: readonly Metafile[]): string[] {
  const files = bundles.flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)))
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [])
  return [...new Set(folders)].sort()
}

/**
 * What a distribution has to carry: each bundled package with its version and the texts of its licence and notices. Throws for a
 * package that brings no licence text, because such a one must not be bundled.
 */
export function thirdPartyTexts(root: string, folders: readonly string[]): string {
  const sections = folders.map((folder) => {
    const home = path.join(root, folder)
    const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Record<string, string>
    const files = readdirSync(home).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    if (!files.some((name) => !/^notice/i.test(name))) throw new Error(`${folder} brings no licence text`)
    const texts = files.sort().map((name) => readFileSync(path.join(home, name), 'utf8').trim())
    return [`${manifest.name} ${manifest.version} (${manifest.license})`, ...texts].join('\n\n')
  })
  return [head, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`) + '\n'
}

const head = 'The programs in this folder contain code of these packages, under these licences.'
