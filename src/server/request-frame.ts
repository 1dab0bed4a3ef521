import type { Findings } from '../json/findings.ts'

/** What the SDK sees as a request's `params.frame`: the client's params and what their text showed. */
export interface RequestFrame {
  readonly params: unknown
  readonly findings: Findings
  /** Raw text of the progress token, where there is one. */
  readonly progressToken: string | undefined
}
