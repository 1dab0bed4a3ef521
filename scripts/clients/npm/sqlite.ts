import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { installPackages, type Installed } from './install.ts'

/**
 * Our SQLite library made for another Node.js, below the folder: downloaded where its makers' binaries can be reached, else compiled
 * with the headers that came with that Node.js. The reason, where neither works.
 */
export function installSqlite(folder: string, version: string, node: string): Installed {
  const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json')
  const { version: ours } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const bin = path.dirname(node)
  return installPackages(path.join(folder, `sqlite-${version}`), [`better-sqlite3@${ours}`], {
    ...process.env,
    // npm itself, and what the package runs at its installation, are run by that Node.js.
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
    npm_config_nodedir: path.dirname(bin),
  })
}
