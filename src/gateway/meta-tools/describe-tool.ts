// Pure: the answer of describe_tool.
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { clip } from './compact.ts'

/** What describe_tool answers about a tool. */
export interface ToolDescription {
  server: string
  tool: string
  downstream: string
  namespaced: string
  description: string
  input_schema: unknown
  /** What the tool's server says of its effects, when it says anything: nothing that was checked. */
  annotations?: unknown
  /** It must be called by its own name. */
  direct_call?: true
  /** The beginning of what the tool's server says of its use. */
  server_instructions?: string
}

/** list_servers has more of it. */
const instructionsBytes = 1024

/** Everything that a caller needs, nothing of it cut but what the server says beside it. */
export function describeTool(tool: CatalogTool, instructions = ''): ToolDescription {
  return {
    server: tool.server.name,
    tool: tool.shortName,
    downstream: tool.wireName,
    namespaced: tool.publicName,
    description: tool.description,
    input_schema: tool.inputSchema,
    ...(tool.annotations !== undefined && { annotations: tool.annotations }),
    ...(tool.isDirectCall && { direct_call: true as const }),
    ...(instructions !== '' && { server_instructions: clip(instructions, instructionsBytes) }),
  }
}
