// Pure: what the response budget allows. A budget of 0 bytes is no limit.

/** The most payload bytes of one page, whatever the budget. */
export const pageCapBytes = 8192

/** What a page's frame takes at least. */
const frameBytes = 448

/** The upper bound of a page's payload; the page may have to be smaller to fit the budget. */
export function pageLimitBytes(budgetBytes: number): number {
  if (budgetBytes <= 0) return pageCapBytes
  // Base64 takes four bytes for three and stands twice in the answer.
  return Math.max(1, Math.min(pageCapBytes, Math.floor((budgetBytes - frameBytes) / 3)))
}

/** Whether an answer of so many bytes may be sent. */
export function fitsBudget(bytes: number, budgetBytes: number): boolean {
  return budgetBytes <= 0 || bytes <= budgetBytes
}

/** The length of a value's JSON text. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
