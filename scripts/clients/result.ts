/** How one scene of a foreign client ended. */
export interface ClientResult {
  client: 'inspector' | 'conformance'
  scenario: string
  /** The checks that failed or warned, sorted; empty when all is well. */
  failures: string[]
  /** What the client said about them. */
  detail: string
}
