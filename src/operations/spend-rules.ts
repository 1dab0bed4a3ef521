// On whose behalf spends are made, what is done about equal ones, and what is written down of them.

/** The operator's choice, from the start of a process to its end. */
export interface SpendRules {
  /** Whose purchases the guard and the journal take together: 1 to 64 of `A-Z a-z 0-9 . _ -`. */
  principal: string
  /** What happens to a purchase that equals an earlier one. `off` wherever there is no journal. */
  twinGuard: 'off' | 'tell' | 'doubt' | 'refuse'
  /** How long a finished purchase keeps its equal from being bought. */
  twinWindowMs: number
  /** Everything, amounts and hashes, or nothing. */
  journal: 'full' | 'sums' | 'off'
}

/** Every harness call is an operation of its own, and nothing is written down but the operations. */
export const plainRules: SpendRules = { principal: 'local', twinGuard: 'off', twinWindowMs: 600_000, journal: 'off' }
