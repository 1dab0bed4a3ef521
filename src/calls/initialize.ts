import { protocol } from '#generated/protocol.js'
import type { CapabilitySnapshot } from '#generated/types/router.js'

/** The name under which the router introduces itself (R 0). */
export const contractServerName = 'hubu-unified-mcp'

/**
 * The answer to `initialize` (R 2.3): the snapshot without its time, and the requested protocol revision when we speak it,
 * else the baseline (DESIGN 2). Parameters that cannot be used are ignored.
 */
export function initializeResult(
  params: unknown,
  snapshot: CapabilitySnapshot,
  serverInfo: { name: string; version: string },
): object {
  const { generated_at: _time, ...experimental } = snapshot
  return {
    protocolVersion: protocolVersion(params),
    serverInfo,
    capabilities: {
      tools: { listChanged: true },
      experimental: { 'hubu.dev/unified-mcp': experimental },
    },
  }
}

function protocolVersion(params: unknown): string {
  const requested =
    typeof params === 'object' && params !== null ? (params as Record<string, unknown>).protocolVersion : undefined
  return protocol.supported.find((version) => version === requested) ?? protocol.baseline
}
