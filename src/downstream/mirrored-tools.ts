import { mirroredArguments, type MirroredArgument } from '../names/mirrored-arguments.ts'
import type { AdmittedTool } from './admission/admit.ts'
import type { Offer } from './offer.ts'

/** What calls of one server's tools repeat in headers, as it listed them last. */
export class MirroredTools {
  #byTool = new Map<string, readonly MirroredArgument[]>()

  /** Those of a tool; none of one that is not known. */
  of(tool: string): readonly MirroredArgument[] {
    return this.#byTool.get(tool) ?? []
  }

  /** Another list counts from now on. A tool whose marks break the rules is not shown in it. */
  learn(offer: Offer): Offer {
    const marked = offer.tools.map((tool) => ({ tool, found: mirroredArguments(tool.listed.inputSchema) }))
    this.#byTool = new Map(marked.flatMap(({ tool, found }) => (found?.length ? [[tool.listed.name, found]] : [])))
    return { ...offer, tools: marked.map(({ tool, found }) => (found === undefined ? withoutSight(tool) : tool)) }
  }
}

const withoutSight = (tool: AdmittedTool): AdmittedTool => ({
  ...tool,
  shown: { kind: 'left_out', reason: 'an x-mcp-header in its input schema is not where or what it may be' },
})
