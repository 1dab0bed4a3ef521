/** How one scene of a foreign client ended. */
export interface ClientResult {
  client: string
  scenario: string
  /** The checks that failed or warned, sorted; empty when all is well. */
  failures: string[]
  /** What the client said about them, or what else a person may want to know. */
  detail: string
  /** Why it was not played at all. */
  skipped?: string
}

/** A result of one check: `wrong` says what does not hold. */
export const checked = (client: string, scenario: string, wrong: string | undefined, detail = ''): ClientResult => ({
  client,
  scenario,
  failures: wrong === undefined ? [] : [scenario],
  detail: wrong ?? detail,
})

/** A scene that was not played. */
export const skipped = (client: string, scenario: string, reason: string): ClientResult => ({
  client,
  scenario,
  failures: [],
  detail: '',
  skipped: reason,
})
