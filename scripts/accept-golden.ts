// Moves reviewed recordings from local/golden/ into golden/: `npm run golden:accept`, or with names for some of them only.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Moves the recordings whose names begin with one of `prefixes` (all of them when none is given) and returns their names,
 * sorted.
 */
export function acceptGolden(root: string, prefixes: readonly string[]): string[] {
  const [recorded, golden] = [path.join(root, 'local/golden'), path.join(root, 'golden')]
  const isWanted = (name: string) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix))
  const names = filesBelow(recorded).filter(isWanted).sort()
  for (const name of names) {
    mkdirSync(path.dirname(path.join(golden, name)), { recursive: true })
    copyFileSync(path.join(recorded, name), path.join(golden, name))
    rmSync(path.join(recorded, name))
  }
  return names
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
}

function main(args: string[]): number {
  if (process.env.CI) {
    process.stderr.write(
      'golden/ is never changed in CI. Run the tests and `npm run golden:accept` where you can read.\n',
    )
    return 1
  }
  const prefixes = args.map((name) => name.replace(/^(local\/)?golden\//, ''))
  const names = acceptGolden(fileURLToPath(new URL('..', import.meta.url)), prefixes)
  for (const name of names) process.stdout.write(`accepted golden/${name}\n`)
  if (names.length === 0) process.stdout.write('Nothing to accept: no recording differs from golden/.\n')
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2))
