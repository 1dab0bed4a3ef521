/**
 * What one check found out. Texts hold no secret, no endpoint and no path below somebody's name, so that a report can go
 * into a bug report; a client's file that a person has to change is named from `~`.
 */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failure'
  message: string
  /** What to do; absent when all is well. */
  remedy?: string
  /** The clients whose entries it is about, by their names for `init`; absent for this shell and the machine. */
  clients?: string[]
}

/** All is well. */
export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message })

/** Works, with less than could be, or with a risk; `remedy` says what to do. */
export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'warning',
  message,
  remedy,
})

/** Does not work until it is mended. */
export const failure = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'failure',
  message,
  remedy,
})
