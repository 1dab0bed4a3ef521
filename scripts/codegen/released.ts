import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sha256 } from './hash.ts'

/** contracts/manifest.json: which version of each contract is current, and what is frozen. */
export interface ContractManifest {
  current: Record<string, string>
  /** Released files with the SHA-256 that they must keep. */
  released: Record<string, string>
}

/** Says which released files were edited, moved or removed, and how to change a promise instead. */
export function releasedDrift(root: string): string[] {
  const manifest = JSON.parse(readFileSync(path.join(root, 'contracts/manifest.json'), 'utf8')) as ContractManifest
  return Object.entries(manifest.released).flatMap(([name, hash]) => {
    const file = path.join(root, 'contracts', name)
    if (existsSync(file) && sha256(readFileSync(file, 'utf8')) === hash) return []
    return [
      `contracts/${name} is released and must stay as it is. Put the file back, add the change as the next version ` +
        'beside it (v2/, .v2.), name that version in contracts/manifest.json, and run `npm run codegen`.',
    ]
  })
}
