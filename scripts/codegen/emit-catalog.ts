import { banner } from './banner.ts'
import type { Contracts } from './read-contracts.ts'

/** The tool definitions as MCP sees them, the ownership table and the protocol constants, as const data. */
export function emitCatalog(contracts: Contracts): Map<string, string> {
  const { tools, metaTools, gatewayTools, routing, protocol, useWhen, sources } = contracts
  const rows = routing.rows
  const definitions = tools.map((tool, index) => definition(tool, rows[index]?.owner === 'gongbu'))
  const titles = Object.fromEntries(tools.map((tool) => [tool.name, tool.title]))
  const ownership = Object.fromEntries(rows.map(({ tool, ...row }) => [tool, row]))
  const union = (values: string[]) => [...new Set(values)].map((value) => `'${value}'`).join(' | ')
  return new Map([
    [
      'catalog.js',
      `${banner(sources.tools)}export const toolDefinitions = ${json(definitions)};\nexport const toolTitles = ${json(titles)};\nexport const useWhen = ${json(useWhen)};\n`,
    ],
    [
      'catalog.d.ts',
      `${banner(sources.tools)}import type { ToolName } from './ownership.js'

/** One tool as tools/list shows it. The four Gongbu tools have a name, a description and a schema only. */
export interface ToolDefinition {
  name: ToolName
  title?: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  annotations?: Record<string, boolean | string>
}
/** All 34 tools in contract order. */
export declare const toolDefinitions: readonly ToolDefinition[]
export declare const toolTitles: Readonly<Record<ToolName, string>>
/** What people say when they need a tool; feeds the search index only. */
export declare const useWhen: Readonly<Record<ToolName, readonly string[]>>
`,
    ],
    [
      'meta-tools.js',
      `${banner(sources.metaTools)}export const metaToolDefinitions = ${json(metaTools.map((tool) => definition(tool, false)))};\n`,
    ],
    [
      'meta-tools.d.ts',
      `${banner(sources.metaTools)}export type MetaToolName = ${union(metaTools.map((tool) => tool.name))}
/** One of the router's own tools beside the 34, as tools/list shows it. */
export interface MetaToolDefinition {
  name: MetaToolName
  title: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  annotations: Record<string, boolean>
}
/** All meta-tools, in the order in which they are listed. */
export declare const metaToolDefinitions: readonly MetaToolDefinition[]
`,
    ],
    [
      'gateway-tools.js',
      `${banner(sources.gatewayTools)}export const gatewayToolDefinitions = ${json(gatewayTools.map((tool) => definition(tool, false)))};\nexport const gatewayToolHints = ${json(Object.fromEntries(gatewayTools.map((tool) => [tool.name, tool.use_when ?? []])))};\n`,
    ],
    [
      'gateway-tools.d.ts',
      `${banner(sources.gatewayTools)}export type GatewayToolName = ${union(gatewayTools.map((tool) => tool.name))}
/** A tool of the built-in server "router", under its name there. */
export interface GatewayToolDefinition {
  name: GatewayToolName
  title: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  annotations: Record<string, boolean>
}
export declare const gatewayToolDefinitions: readonly GatewayToolDefinition[]
/** What people say when they need a tool; feeds the search index only. */
export declare const gatewayToolHints: Readonly<Record<GatewayToolName, readonly string[]>>
`,
    ],
    [
      'ownership.js',
      `${banner(sources.routing)}export const ownership = ${json(ownership)};\nexport const toolNames = ${json(rows.map((row) => row.tool))};\nexport const toolAliases = ${json(aliasesOf(rows))};\nexport const contractVersion = ${json(routing.contract_version)};\nexport const routingRevision = ${routing.routing_revision};\n`,
    ],
    [
      'ownership.d.ts',
      `${banner(sources.routing)}export type ToolName = ${union(rows.map((row) => row.tool))}
export type Owner = ${union(rows.map((row) => row.owner))}
export type ApprovalClass = ${union(rows.map((row) => row.approval_class))}
/** Who answers a tool, and by which request. */
export interface OwnershipRow {
  owner: Owner
  approval_class: ApprovalClass
  method: 'GET' | 'POST' | null
  path: string | null
}
export declare const ownership: Readonly<Record<ToolName, OwnershipRow>>
/** All 34 names in contract order. */
export declare const toolNames: readonly ToolName[]
/** What each tool also answers to where a gateway names servers: owner__tool, with and without a repeated first word. */
export declare const toolAliases: Readonly<Record<ToolName, readonly string[]>>
export declare const contractVersion: '${routing.contract_version}'
export declare const routingRevision: ${routing.routing_revision}
`,
    ],
    ['protocol.js', `${banner(sources.protocol)}export const protocol = ${json(protocol)};\n`],
    [
      'protocol.d.ts',
      `${banner(sources.protocol)}/** The versions we speak and expect. */\nexport declare const protocol: {\n${Object.entries(
        protocol,
      )
        .map(
          ([name, value]) =>
            `  readonly ${name}: ${Array.isArray(value) ? 'readonly string[]' : JSON.stringify(value)}`,
        )
        .join('\n')}\n}\n`,
    ],
  ])
}

/** The names are made here, once, so that nothing that runs infers an owner from a prefix. */
function aliasesOf(rows: Contracts['routing']['rows']): Record<string, string[]> {
  return Object.fromEntries(
    rows.map(({ tool, owner }) => {
      const word = owner === 'router' ? 'hubu' : owner
      const short = tool.startsWith(`${word}_`) ? tool.slice(word.length + 1) : tool
      return [tool, [...new Set([`${owner}__${short}`, `${owner}__${tool}`])]]
    }),
  )
}

function definition(tool: Contracts['tools'][number], bare: boolean): object {
  if (bare) return { name: tool.name, description: tool.description, inputSchema: tool.inputSchema }
  const { name, title, description, inputSchema, annotations } = tool
  return { name, title, description, inputSchema, annotations }
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
