import { contractVersion, routingRevision } from '#generated/ownership.js'
import { protocol } from '#generated/protocol.js'
import type { CapabilitySnapshot } from '#generated/types/router.js'
import { isObject, member } from '../json/read.ts'
import { modernRevisions } from '../wire/modern.ts'
import type { ClientView } from '../wire/request.ts'

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

/** The answer to `server/discover`: what is so without asking a backend. */
export function discoverResult({
  hasResources,
  instructions,
}: {
  hasResources: boolean
  /** What the gateway says of its use; undefined where there is none. */
  instructions: string | undefined
}): object {
  const hasGateway = instructions !== undefined
  return {
    supportedVersions: modernRevisions,
    capabilities: {
      tools: { listChanged: true },
      ...(hasResources && { resources: hasGateway ? { subscribe: true, listChanged: true } : {} }),
      ...(hasGateway && { prompts: { listChanged: true }, completions: {}, logging: {} }),
      experimental: { 'hubu.dev/unified-mcp': { contract: contractVersion, routing_revision: routingRevision } },
    },
    ...(hasGateway && { instructions }),
  }
}

/** What the client told in `initialize`; until then nothing is known of it. */
export class ClientProfile {
  #view: ClientView = { era: 'legacy', revision: '', capabilities: {}, name: '' }

  /** What is known of it now, as far as it said something usable. */
  get view(): ClientView {
    return this.#view
  }

  tellsCapabilities(params: unknown): void {
    const { capabilities, clientInfo } = isObject(params) ? params : {}
    const name = member(clientInfo, 'name')
    this.#view = {
      ...this.#view,
      name: typeof name === 'string' ? name : '',
      capabilities: typeof capabilities === 'object' && capabilities !== null ? { ...capabilities } : {},
    }
  }

  /** The revision that was agreed on. */
  speaks(revision: string): void {
    this.#view = { ...this.#view, revision }
  }
}

function protocolVersion(params: unknown): string {
  const requested = member(params, 'protocolVersion')
  return protocol.supported.find((version) => version === requested) ?? protocol.baseline
}
