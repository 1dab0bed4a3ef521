import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where accepted evidence and fresh recordings lie, below the same names. */
export const folders = { golden: path.join(root, 'golden'), recorded: path.join(root, 'local/golden') }

/**
 * Compares a text with golden/`name`, byte for byte. What differs is written to local/golden/`name` for review and fails;
 * golden/ itself is only changed by `npm run golden:accept`.
 */
export function expectGolden(name: string, seen: string): void {
  const [golden, recorded] = [path.join(folders.golden, name), path.join(folders.recorded, name)]
  const accepted = existsSync(golden) ? readFileSync(golden, 'utf8') : undefined
  if (accepted === seen) return rmSync(recorded, { force: true })
  mkdirSync(path.dirname(recorded), { recursive: true })
  writeFileSync(recorded, seen)
  const what = accepted === undefined ? `golden/${name} does not exist yet` : `golden/${name} is not what was seen`
  const message = `${what}. Read local/golden/${name}; if every change is meant, run \`npm run golden:accept\`.`
  expect(seen, message).toBe(accepted)
}

/** A value as golden files hold it: indented, members in the order in which they cross the border. */
export function toGoldenText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** An accepted golden file, parsed. */
export function readGolden(name: string): unknown {
  return JSON.parse(readFileSync(path.join(folders.golden, name), 'utf8'))
}
