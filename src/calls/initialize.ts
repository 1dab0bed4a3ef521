import { protocol } from '#generated/protocol.js'
import type { CapabilitySnapshot } from '#generated/types/router.js'

/** The name under which the router introduces itself. */
export const contractServerName = 'hubu-unified-mcp'

/** The answer to `initialize`. */
export interface InitializeResult {
  protocolVersion: string
  serverInfo: { name: string; version: string }
  capabilities: object
}

/**
 * The answer to `initialize`: the snapshot without its time, and the requested protocol revision when we speak it,
 * else the baseline. Parameters that cannot be used are ignored.
 */
export function initializeResult(
  params: unknown,
  snapshot: CapabilitySnapshot,
  serverInfo: { name: string; version: string },
  options: { hasResources: boolean; hasGateway?: boolean } = { hasResources: false },
): InitializeResult {
  const { generated_at: _time, ...experimental } = snapshot
  return {
    protocolVersion: protocolVersion(params),
    serverInfo,
    capabilities: {
      tools: { listChanged: true },
      ...(options.hasResources && { resources: options.hasGateway ? { subscribe: true } : {} }),
      // Whether some server can do it is known only when it is connected, or is mounted later: each request tells.
      ...(options.hasGateway && { prompts: {}, completions: {}, logging: {} }),
      experimental: { 'hubu.dev/unified-mcp': experimental },
    },
  }
}

/** The first revision of MCP that has resource links in tool results. Revisions are dates and sort as text. */
const firstWithLinks = '2025-06-18'

/** Whether a client that was told this revision knows resource links. */
export function knowsResourceLinks(revision: string): boolean {
  return revision >= firstWithLinks
}

function protocolVersion(params: unknown): string {
  const requested =
    typeof params === 'object' && params !== null ? (params as Record<string, unknown>).protocolVersion : undefined
  return protocol.supported.find((version) => version === requested) ?? protocol.baseline
}

/** What the client says it can do; empty when it says nothing usable. */
export function clientCapabilities(params: unknown): Record<string, unknown> {
  const { capabilities } = (typeof params === 'object' && params !== null ? params : {}) as { capabilities?: unknown }
  return typeof capabilities === 'object' && capabilities !== null ? (capabilities as Record<string, unknown>) : {}
}
