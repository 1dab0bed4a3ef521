// Literals on purpose: operators have these names in their configuration.
import { expect, test } from 'vitest'
import { environmentVariables } from '../../src/config/environment.ts'

test('the environment variables of a served router keep their names', () => {
  const promised = [
    'HUBU_MCP_TRUST_CLIENT_APPROVAL',
    'HUBU_RECONCILIATION_TOKEN',
    'HUBU_RECONCILIATION_TOKEN_FILE',
    'HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS',
    'HUBU_UNIFIED_CONFIG',
    'HUBU_UNIFIED_EXPOSE',
    'HUBU_UNIFIED_GONGBU_BEARER_TOKEN',
    'HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE',
    'HUBU_UNIFIED_GONGBU_ENDPOINT',
    'HUBU_UNIFIED_HTTP',
    'HUBU_UNIFIED_HTTP_TOKEN_FILE',
    'HUBU_UNIFIED_HUBU_BEARER_TOKEN',
    'HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE',
    'HUBU_UNIFIED_HUBU_ENDPOINT',
    'HUBU_UNIFIED_IDENTITY',
    'HUBU_UNIFIED_JOURNAL',
    'HUBU_UNIFIED_LOG',
    'HUBU_UNIFIED_OPERATION_STATE_PATH',
    'HUBU_UNIFIED_OPERATION_TICK_MS',
    'HUBU_UNIFIED_PRINCIPAL',
    'HUBU_UNIFIED_PUBLIC_URL',
    'HUBU_UNIFIED_REQUEST_STATE_KEY_FILE',
    'HUBU_UNIFIED_RESPONSE_BUDGET',
    'HUBU_UNIFIED_RESULTS_LIMIT',
    'HUBU_UNIFIED_RESULTS_PATH',
    'HUBU_UNIFIED_TWIN_GUARD',
    'HUBU_UNIFIED_TWIN_WINDOW',
    'HUBU_UNIFIED_VERBATIM',
  ]
  expect(Object.values(environmentVariables).sort()).toEqual(promised)
})
