import { compare, type ExpectedFailures } from './expectations.ts'
import type { ClientResult } from './result.ts'

/** Prints a line for each result as it comes, and at the end what they came to. */
export interface Report {
  tell(result: ClientResult): void
  /** Prints the summary; whether nothing is wrong. `expected` holds for the clients that ran. */
  end(): boolean
}

/** A report on `out`, in which what is listed as failing on purpose is no failure. */
export function createReport(expected: ExpectedFailures, out: { write(text: string): unknown }): Report {
  const results: ClientResult[] = []
  const line = (mark: string, client: string, scenario: string, words = '') =>
    out.write(
      `${mark.padEnd(8)} ${client.padEnd(16)} ${scenario}${words === '' ? '' : `: ${words.replaceAll('\n', ' ')}`}\n`,
    )
  return {
    tell(result) {
      results.push(result)
      const { client, scenario, failures, detail, skipped } = result
      const reason = expected[client]?.[scenario]?.reason
      if (skipped !== undefined) line('SKIPPED', client, scenario, skipped)
      else if (failures.length === 0) line('ok', client, scenario, detail)
      else if (reason === undefined) line('FAILED', client, scenario, detail)
      else line('expected', client, scenario, reason)
    },
    end() {
      const ran = new Set(results.filter(({ skipped }) => skipped === undefined).map(({ client }) => client))
      const listed = Object.fromEntries(Object.entries(expected).filter(([client]) => ran.has(client)))
      // Other failures were told when they came.
      const isListed = ({ client, scenario }: ClientResult) => listed[client]?.[scenario] !== undefined
      const surprises = compare(results.filter(isListed), listed)
      for (const surprise of surprises) out.write(`FAILED   ${surprise}\n`)
      const count = (is: (result: ClientResult) => boolean) => results.filter(is).length
      const skipped = count((result) => result.skipped !== undefined)
      const failed = count(({ client, scenario, failures }) => failures.length > 0 && !expected[client]?.[scenario])
      const onPurpose = count(({ failures }) => failures.length > 0) - failed
      const passed = results.length - skipped - failed - onPurpose
      out.write(`${passed} passed, ${failed} failed, ${skipped} skipped; ${onPurpose} fail on purpose\n`)
      return failed === 0 && surprises.length === 0
    },
  }
}
