import { protocol } from '#generated/protocol.js'
import type { CapabilitySnapshot } from '#generated/types/router.js'
import { isObject, member } from '../json/read.ts'

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

/** What the client told in `initialize`; until then nothing is known of it. */
export class ClientProfile {
  #revision = ''
  #capabilities: Record<string, unknown> = {}
  #name = ''

  /** What it can do, as far as it said something usable. */
  get capabilities(): Record<string, unknown> {
    return this.#capabilities
  }

  /** The name that it gave itself; empty when it gave none. */
  get name(): string {
    return this.#name
  }

  get knowsResourceLinks(): boolean {
    return this.#revision >= firstWithLinks
  }

  /** Both came in one revision. */
  get readsStructured(): boolean {
    return this.#revision >= firstWithLinks
  }

  tellsCapabilities(params: unknown): void {
    const { capabilities, clientInfo } = isObject(params) ? params : {}
    const name = member(clientInfo, 'name')
    this.#name = typeof name === 'string' ? name : ''
    this.#capabilities = typeof capabilities === 'object' && capabilities !== null ? { ...capabilities } : {}
  }

  /** The revision that was agreed on. */
  speaks(revision: string): void {
    this.#revision = revision
  }
}

/** The first revision of MCP that has resource links in tool results. Revisions are dates and sort as text. */
const firstWithLinks = '2025-06-18'

function protocolVersion(params: unknown): string {
  const requested = member(params, 'protocolVersion')
  return protocol.supported.find((version) => version === requested) ?? protocol.baseline
}
