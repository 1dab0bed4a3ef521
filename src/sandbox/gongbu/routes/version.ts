// Pure: the answer of `GET /version` (G 1.4).
import { executorContract } from '../hubu/http-hubu.ts'

/** The eight members, all always present. */
export function versionDocument(stamp: { productVersion: string; sourceCommit: string }) {
  return {
    product_version: stamp.productVersion,
    source_commit: stamp.sourceCommit,
    build_id: 'local',
    api_schema_version: 2,
    mcp_protocol_version: '2024-11-05',
    mcp_schema_version: 2,
    server_config_schema_version: 2,
    hubu_executor_contract: executorContract,
  }
}
