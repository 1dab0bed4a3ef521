import { expect, test } from 'vitest'
import { createReport } from '../../scripts/clients/report.ts'
import { checked, skipped } from '../../scripts/clients/result.ts'

function reported(results: Parameters<ReturnType<typeof createReport>['tell']>[0][], expected = {}) {
  let text = ''
  const report = createReport(expected, { write: (more) => (text += more) })
  results.forEach(report.tell)
  return { isWell: report.end(), text }
}

test('passed, failed and skipped scenes are counted, and a failure is told once', () => {
  const { isWell, text } = reported([
    checked('agent', 'buys', undefined),
    checked('agent', 'waits', 'it did not'),
    skipped('other', 'everything', 'no network'),
  ])
  expect(isWell).toBe(false)
  expect(text.match(/it did not/g)).toHaveLength(1)
  expect(text).toContain('SKIPPED  other            everything: no network')
  expect(text).toMatch(/1 passed, 1 failed, 1 skipped; 0 fail on purpose\n$/)
})

test('a listed failure is none, unless the scene passes by now', () => {
  const expected = { agent: { waits: { checks: ['waits'], reason: 'it cannot' } } }
  expect(reported([checked('agent', 'waits', 'it did not')], expected)).toMatchObject({
    isWell: true,
    text: expect.stringMatching(/it cannot\n0 passed, 0 failed, 0 skipped; 1 fail on purpose\n$/),
  })
  expect(reported([checked('agent', 'waits', undefined)], expected)).toMatchObject({ isWell: false })
  expect(reported([checked('other', 'waits', undefined)], expected)).toMatchObject({ isWell: true })
  expect(reported([skipped('agent', 'everything', 'no network')], expected)).toMatchObject({ isWell: true })
})
