import { contractVersion } from '#generated/ownership.js'
import { protocol } from '#generated/protocol.js'
import { buildStamp } from '../config/build-stamp.ts'

/** The one JSON line of version mode. */
export function versionLine(): string {
  return JSON.stringify({
    product: 'hubu-unified-mcp',
    product_version: buildStamp.productVersion,
    source_commit: buildStamp.sourceCommit,
    executor_contract: protocol.executor_contract,
    unified_mcp_contract: contractVersion,
  })
}
