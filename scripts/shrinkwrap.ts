// Around `npm pack` and `npm publish`: package-lock.json without what only developers need becomes npm-shrinkwrap.json, which npm puts
// into the package and obeys where that is installed. It is gone afterwards, because npm would take it for the lock of this folder.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** What npm's lock file holds of it, in version 3. */
export interface Lock {
  lockfileVersion: number
  packages: Record<string, { version?: string; dev?: true; devDependencies?: unknown }>
}

/** The lock without the packages that are installed for developers only. */
export function consumersLock(lock: Lock): Lock {
  if (lock.lockfileVersion !== 3) throw new Error(`package-lock.json has the version ${lock.lockfileVersion}, not 3`)
  const kept = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true)
  const packages = Object.fromEntries(kept.map(([at, { devDependencies: _, ...rest }]) => [at, rest]))
  return { ...lock, packages }
}

const root = fileURLToPath(new URL('..', import.meta.url))
const shrinkwrap = path.join(root, 'npm-shrinkwrap.json')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , what] = process.argv
  if (what === 'write') {
    const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock
    writeFileSync(shrinkwrap, `${JSON.stringify(consumersLock(lock), undefined, 2)}\n`)
  } else if (what === 'remove') rmSync(shrinkwrap, { force: true })
  else throw new Error('write or remove')
}
