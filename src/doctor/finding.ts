/** What one check found out. Texts hold no secret, no endpoint and no path, so that a report can go into a bug report. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failure'
  message: string
  /** What to do; absent when all is well. */
  remedy?: string
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message })

export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'warning',
  message,
  remedy,
})

export const failure = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'failure',
  message,
  remedy,
})
