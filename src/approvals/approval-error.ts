/** Why an approval could not be read or decided: in words, without secrets. */
export class ApprovalError extends Error {
  override readonly name = 'ApprovalError'
}
