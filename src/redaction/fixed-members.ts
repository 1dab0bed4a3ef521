/**
 * Members of backends' answers whose values the contracts fix, with those values. The router decides by them, so they stay
 * what they are although an operator's token may be such a word.
 */
const fixedMembers: ReadonlyMap<string, ReadonlySet<unknown>> = new Map(
  Object.entries({
    status: [
      ...['ok', 'live', 'ready', 'pending', 'approved', 'denied', 'preflighting', 'claimed', 'executing', 'settling'],
      ...['succeeded', 'released', 'failed', 'reconciliation_required'],
    ],
    decision: ['allow', 'deny', 'needs_approval'],
    executor_contract: ['hubu-spend-executor-v4.3'],
    hubu_executor_contract: ['hubu-spend-executor-v4.3'],
    mcp_protocol_version: ['2024-11-05'],
  }).map(([name, values]) => [name, new Set(values)]),
)

/** Whether a contract names this member and lists its values. */
export function isFixedName(name: string): boolean {
  return fixedMembers.has(name)
}

/** Whether this is one of the values that a contract lists for the member. */
export function isFixedValue(name: string, value: unknown): boolean {
  return fixedMembers.get(name)?.has(value) === true
}
