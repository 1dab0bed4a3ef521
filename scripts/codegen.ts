// contracts/ -> generated/. With --check it writes nothing, compares, and fails on any drift.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from './codegen/generate.ts'
import { releasedDrift } from './codegen/released.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = path.join(root, 'generated')

async function main(args: string[]): Promise<number> {
  const wanted = await generate(root)
  const drift = args.includes('--check') ? differences(wanted) : write(wanted)
  const frozen = releasedDrift(root)
  for (const line of [...drift, ...frozen]) process.stderr.write(`${line}\n`)
  if (drift.length > 0)
    process.stderr.write(
      'generated/ does not follow from contracts/. Run `npm run codegen` and commit both together.\n',
    )
  return drift.length + frozen.length === 0 ? 0 : 1
}

function differences(wanted: Map<string, string>): string[] {
  const changed = [...wanted]
    .filter(([name, text]) => readText(name) !== text)
    .map(([name]) => `generated/${name} differs`)
  return [...changed, ...strays(wanted).map((name) => `generated/${name} is not generated any more`)]
}

function write(wanted: Map<string, string>): string[] {
  for (const name of strays(wanted)) rmSync(path.join(target, name))
  for (const [name, text] of wanted) {
    mkdirSync(path.dirname(path.join(target, name)), { recursive: true })
    writeFileSync(path.join(target, name), text)
  }
  return []
}

function strays(wanted: Map<string, string>): string[] {
  if (!existsSync(target)) return []
  const present = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return present
    .map((entry) => path.relative(target, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => !wanted.has(name))
}

function readText(name: string): string | undefined {
  const file = path.join(target, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

process.exitCode = await main(process.argv.slice(2))
