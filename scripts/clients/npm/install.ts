import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where packages lie, or why they do not. */
export type Installed = { modules: string } | { reason: string }

/**
 * Installs packages (`name@version`) from npm into the folder, once, and runs their install scripts only in an environment that is
 * given for it. Nothing is thrown: the reason is for people.
 */
export function installPackages(folder: string, packages: readonly string[], scripts?: NodeJS.ProcessEnv): Installed {
  const modules = path.join(folder, 'node_modules')
  const stamp = path.join(folder, 'fetched')
  const wanted = packages.join('\n')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return { modules }
  mkdirSync(folder, { recursive: true })
  const quiet = [
    ...(scripts === undefined ? ['--ignore-scripts'] : []),
    '--no-save',
    '--no-fund',
    '--no-audit',
    '--loglevel=error',
  ]
  const { status, error, stderr } = spawnSync('npm', ['install', '--prefix', folder, ...quiet, ...packages], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    ...(scripts !== undefined && { env: scripts }),
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    const why = error?.message ?? stderr.trim().split('\n')[0] ?? ''
    return { reason: `npm could not fetch ${packages.join(', ')}: ${why}` }
  }
  writeFileSync(stamp, wanted)
  return { modules }
}
