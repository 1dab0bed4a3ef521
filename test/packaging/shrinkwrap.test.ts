import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consumersLock, type Lock } from '../../scripts/shrinkwrap.ts'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock

test('what a consumer installs is pinned to what is tested here, and nothing of the developers is in it', () => {
  const { packages } = consumersLock(lock)
  const names = Object.keys(packages)
  expect(names).toContain('node_modules/better-sqlite3')
  expect(names).toContain('node_modules/bindings')
  expect(names).not.toContain('node_modules/vitest')
  expect(packages['']).not.toHaveProperty('devDependencies')
  for (const [at, { version }] of Object.entries(packages)) expect(version, at).toBe(lock.packages[at]?.version)
})

test('a lock of another form is refused', () => {
  expect(() => consumersLock({ ...lock, lockfileVersion: 2 })).toThrow('has the version 2')
})
