import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Packs the native part of better-sqlite3 that `npm ci` put into this repository as its installer would download it. Gives
 * the environment that makes the installer take it; without one, it downloads or compiles, which takes minutes.
 */
export function offerNativePart(repository: string, folder: string): Record<string, string> {
  const home = path.join(repository, 'node_modules/better-sqlite3')
  const built = 'build/Release/better_sqlite3.node'
  if (!existsSync(path.join(home, built))) return {}
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string }
  const { platform, arch, versions } = process
  const isMusl = platform === 'linux' && !('glibcVersionRuntime' in reportHeader())
  const system = `${platform}${isMusl ? 'musl' : ''}-${arch}`
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `better-sqlite3-v${version}-node-v${versions.modules}-${system}.tar.gz`)
  execFileSync('tar', ['-czf', file, '-C', home, built])
  return { npm_config_better_sqlite3_local_prebuilds: folder }
}

function reportHeader(): object {
  const { header } = process.report.getReport() as { header: object }
  return header
}
