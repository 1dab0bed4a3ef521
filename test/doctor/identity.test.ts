import { expect, test } from 'vitest'
import { checkIdentity } from '../../src/doctor/identity.ts'
import { JournalFile } from '../operations/journal/journal-file.ts'

const settings = {
  identity: 'guarded',
  principal: 'cursor',
  twinGuard: 'refuse',
  twinWindowMs: 600_000,
  journal: 'full',
} as const
const now = (file: JournalFile) => new Date(file.clock.nowMs())

test('guarded identity is told with what it costs, and as whom the client buys', async () => {
  using file = new JournalFile()
  await file.begin()
  file.buy(file.process(), { digits: 'a', platform: 'guarded', principal: 'cursor' })
  const finding = checkIdentity(file.registry.path, settings, now(file))
  expect(finding.status).toBe('ok')
  expect(finding.message).toMatch(/as cursor; two equal ones .* become one .* for 10 minutes after it/)
})

test('a client that was seen sending ids should use them; what another principal sends says nothing', async () => {
  using file = new JournalFile()
  await file.begin()
  file.buy(file.process(), { digits: 'b', principal: 'codex' })
  expect(checkIdentity(file.registry.path, settings, now(file)).status).toBe('ok')
  file.buy(file.process(), { digits: 'c', principal: 'cursor' })
  expect(checkIdentity(file.registry.path, settings, now(file))).toMatchObject({
    status: 'warning',
    remedy: expect.stringContaining('replace') as unknown,
  })
  file.clock.advance(25 * 3_600_000)
  expect(checkIdentity(file.registry.path, settings, now(file)).status).toBe('ok')
})

test('by default it says who can spend', () => {
  const finding = checkIdentity(undefined, { ...settings, identity: 'harness' }, new Date(0))
  expect(finding).toMatchObject({ status: 'ok', message: expect.stringMatching(/^harness: /) as unknown })
})
