import type { ClientResult } from './result.ts'

/** Which checks of which scenario fail on purpose, by client, and why. */
export type ExpectedFailures = Record<string, Record<string, { checks: string[]; reason: string }>>

/**
 * Everything that differs from what is expected, in words: a check that fails unexpectedly, one that passes although it is
 * listed, an entry without a reason, an entry for a scenario that did not run. Empty when all is as expected.
 */
export function compare(results: readonly ClientResult[], expected: ExpectedFailures): string[] {
  const complaints = results.flatMap(({ client, scenario, failures, detail }) => {
    const listed = expected[client]?.[scenario]?.checks ?? []
    const surprising = failures.filter((check) => !listed.includes(check))
    const stale = listed.filter((check) => !failures.includes(check))
    return [
      ...surprising.map((check) => `${client} ${scenario}: ${check} failed (${detail})`),
      ...stale.map((check) => `${client} ${scenario}: ${check} passes now; remove it from the expected failures`),
    ]
  })
  const ran = new Set(results.map(({ client, scenario }) => `${client} ${scenario}`))
  const entries = Object.entries(expected).flatMap(([client, scenarios]) =>
    Object.entries(scenarios).map(([scenario, entry]) => ({ name: `${client} ${scenario}`, entry })),
  )
  for (const { name, entry } of entries) {
    if (!ran.has(name)) complaints.push(`${name}: is listed as failing, but no such scenario ran`)
    if (entry.reason.trim() === '') complaints.push(`${name}: is listed without a reason`)
    if (entry.checks.length === 0) complaints.push(`${name}: is listed without a check`)
  }
  return complaints
}
