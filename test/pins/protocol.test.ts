// Literals on purpose: both backends and every client are checked against them.
import { expect, test } from 'vitest'
import { protocol } from '#generated/protocol.js'

test('the versions that we speak and expect stay as they are', () => {
  expect(protocol).toEqual({
    baseline: '2024-11-05',
    supported: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
    executor_contract: 'hubu-spend-executor-v4.3',
    gongbu_api_schema_version: 2,
    gongbu_mcp_schema_version: 2,
    approval_profile_version: 'hubu-mcp-client-approval-v1',
  })
})
