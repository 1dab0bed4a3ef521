import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Installed } from '../npm/install.ts'

/**
 * Installs packages (`name==version`) from PyPI into an environment of its own in the folder, once; its programs lie in `bin`
 * there. Nothing is thrown: the reason is for people.
 */
export function installFromPypi(folder: string, packages: readonly string[]): Installed {
  const stamp = path.join(folder, 'fetched')
  const wanted = packages.join('\n')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return { modules: folder }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', folder]],
    [path.join(folder, 'bin', 'python'), [...pip, ...packages]],
  ]
  for (const [command, args] of steps) {
    const { status, error, stderr } = spawnSync(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
    if (status !== 0) {
      const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
      return { reason: `PyPI could not give ${packages.join(', ')}: ${why}` }
    }
  }
  writeFileSync(stamp, wanted)
  return { modules: folder }
}
