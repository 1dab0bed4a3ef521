// Freezes contract files: `npm run contracts:release -- tools/v1 routing/v1.json` records the hash of each, for good.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from './codegen/hash.ts'
import type { ContractManifest } from './codegen/released.ts'

/**
 * Adds the hash of every named file, or of every file in a named folder, to contracts/manifest.json; names are relative
 * to contracts/. Returns what is newly frozen. Throws, and writes nothing, for a name that is no versioned contract and
 * for a file that differs from its recorded hash: a release is never recorded anew.
 */
export function releaseContracts(root: string, names: readonly string[]): string[] {
  const contracts = path.join(root, 'contracts')
  const manifestFile = path.join(contracts, 'manifest.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as ContractManifest
  const files = names.flatMap((name) => filesIn(contracts, name)).sort()
  const added = files.filter((name) => {
    const hash = sha256(readFileSync(path.join(contracts, name), 'utf8'))
    const recorded = manifest.released[name]
    if (recorded !== undefined && recorded !== hash) {
      throw new Error(
        `contracts/${name} is released and was edited since. Put the file back, and add the change as its next version.`,
      )
    }
    manifest.released[name] = hash
    return recorded === undefined
  })
  const sorted = Object.entries(manifest.released).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify({ ...manifest, released: Object.fromEntries(sorted) }, null, 2)
  writeFileSync(manifestFile, `${text}\n`)
  return added
}

/** A versioned contract says its version in its name or in its folder's. */
const versioned = /(^|\/)v\d+(\/[^/]+)?\.json$|\.v\d+(\.schema)?\.json$/

function filesIn(contracts: string, name: string): string[] {
  const whole = path.join(contracts, name)
  const isInside = !path.relative(contracts, whole).startsWith('..')
  if (!isInside || !existsSync(whole)) throw new Error(`there is no contracts/${name}`)
  const relative = path.relative(contracts, whole).split(path.sep).join('/')
  if (statSync(whole).isDirectory())
    return readdirSync(whole).flatMap((file) => filesIn(contracts, `${relative}/${file}`))
  if (!versioned.test(relative)) throw new Error(`contracts/${relative} carries no version, so it cannot be released`)
  return [relative]
}

function main(root: string, names: string[]): number {
  if (names.length === 0) {
    process.stderr.write('usage: npm run contracts:release -- FILE_OR_FOLDER_BELOW_CONTRACTS...\n')
    return 2
  }
  try {
    for (const name of releaseContracts(root, names)) process.stdout.write(`released contracts/${name}\n`)
    process.stdout.write('Run `npm run codegen` and commit contracts/ and generated/ together.\n')
    return 0
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return 1
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(fileURLToPath(new URL('..', import.meta.url)), process.argv.slice(2))
}
