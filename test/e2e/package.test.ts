import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the packed package installs into an empty folder and works there (npm run smoke)', { timeout: 300_000 }, () => {
  const args = ['--import', 'tsx', 'scripts/smoke-package.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stdout).toMatch(/^(ok {4}.*\n){8}8 passed, 0 failed\n$/)
  expect([status, stderr]).toEqual([0, ''])
})
