/** Why an approval could not be read or decided: in words, without secrets. */
export class ApprovalError extends Error {
  override readonly name = 'ApprovalError'
  /** Hubu gave no answer at all, so the same question may be answered later. */
  readonly isAway: boolean

  constructor(message: string, { isAway = false }: { isAway?: boolean } = {}) {
    super(message)
    this.isAway = isAway
  }
}
