/** Environment variables as Node gives them. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The variables that configure a served router. docs/operators.md lists each of them. */
export const environmentVariables = {
  hubuEndpoint: 'HUBU_UNIFIED_HUBU_ENDPOINT',
  hubuToken: 'HUBU_UNIFIED_HUBU_BEARER_TOKEN',
  hubuTokenFile: 'HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE',
  gongbuEndpoint: 'HUBU_UNIFIED_GONGBU_ENDPOINT',
  gongbuToken: 'HUBU_UNIFIED_GONGBU_BEARER_TOKEN',
  gongbuTokenFile: 'HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE',
  pollInterval: 'HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS',
  tick: 'HUBU_UNIFIED_OPERATION_TICK_MS',
  statePath: 'HUBU_UNIFIED_OPERATION_STATE_PATH',
  trustClientApproval: 'HUBU_MCP_TRUST_CLIENT_APPROVAL',
  reconciliationToken: 'HUBU_RECONCILIATION_TOKEN',
  reconciliationTokenFile: 'HUBU_RECONCILIATION_TOKEN_FILE',
  config: 'HUBU_UNIFIED_CONFIG',
  expose: 'HUBU_UNIFIED_EXPOSE',
  responseBudget: 'HUBU_UNIFIED_RESPONSE_BUDGET',
  verbatim: 'HUBU_UNIFIED_VERBATIM',
  resultsPath: 'HUBU_UNIFIED_RESULTS_PATH',
  resultsLimit: 'HUBU_UNIFIED_RESULTS_LIMIT',
  activityPath: 'HUBU_UNIFIED_ACTIVITY_PATH',
  journal: 'HUBU_UNIFIED_JOURNAL',
  identity: 'HUBU_UNIFIED_IDENTITY',
  principal: 'HUBU_UNIFIED_PRINCIPAL',
  twinGuard: 'HUBU_UNIFIED_TWIN_GUARD',
  twinWindow: 'HUBU_UNIFIED_TWIN_WINDOW',
  log: 'HUBU_UNIFIED_LOG',
  http: 'HUBU_UNIFIED_HTTP',
  httpTokenFile: 'HUBU_UNIFIED_HTTP_TOKEN_FILE',
  publicUrl: 'HUBU_UNIFIED_PUBLIC_URL',
  requestStateKeyFile: 'HUBU_UNIFIED_REQUEST_STATE_KEY_FILE',
} as const

/**
 * A variable's text. What is not valid UTF-8 counts as absent: Node has put a replacement character in its place.
 */
export function readVariable(env: Variables, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value.includes('\uFFFD') ? undefined : value
}

/** Whether a text is empty after trimming. */
export function isBlank(value: string | undefined): value is '' | undefined {
  return value === undefined || value.trim() === ''
}
