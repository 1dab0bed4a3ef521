import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { ContractManifest } from './released.ts'

/** A JSON Schema as read from a file. */
export type Schema = Record<string, unknown> & { $id: string; title: string }

/** One tool as contracts/tools/v1 writes it. */
export interface ToolContract {
  name: string
  title: string
  description: string
  annotations?: Record<string, unknown>
  inputSchema: Record<string, unknown>
  /** What people say when they need it; only where it stands beside the tool. */
  use_when?: string[]
}

/** One row of the ownership table. */
export interface RoutingRow {
  tool: string
  owner: string
  approval_class: string
  method: string | null
  path: string | null
}

/** Everything that codegen reads, in a fixed order, with the bytes of each file for the manifest. */
export interface Contracts {
  files: Map<string, string>
  /** Where the current tools, ownership table, protocol constants and the router's own tools stand below contracts/. */
  sources: { tools: string; routing: string; protocol: string; metaTools: string; gatewayTools: string }
  tools: ToolContract[]
  /** The router's own tools beside the 34. */
  metaTools: ToolContract[]
  /** Tools of the built-in server `router` that are reached as those of mounted servers are. */
  gatewayTools: ToolContract[]
  routing: { contract_version: string; routing_revision: number; rows: RoutingRow[] }
  protocol: Record<string, unknown>
  useWhen: Record<string, string[]>
  schemas: { backends: Schema[]; router: Schema[]; config: Schema[] }
}

/** Reads contracts/ and checks it against the meta-schema and itself. Throws with the file and what is wrong with it. */
export function readContracts(root: string): Contracts {
  const files = readTree(path.join(root, 'contracts'))
  const parse = (name: string): unknown => {
    const text = files.get(name)
    if (text === undefined) throw new Error(`contracts/${name} is missing`)
    return JSON.parse(text)
  }
  const { current } = parse('manifest.json') as ContractManifest
  const currentOf = (contract: string): string => {
    const version = current[contract]
    if (version === undefined) throw new Error(`contracts/manifest.json names no current version of ${contract}`)
    return version
  }
  const sources = {
    tools: `tools/${currentOf('tools')}/`,
    routing: `routing/${currentOf('routing')}.json`,
    protocol: `router/protocol.${currentOf('router/protocol')}.json`,
    metaTools: `router/meta-tools.${currentOf('router/meta-tools')}.json`,
    gatewayTools: `router/gateway-tools.${currentOf('router/gateway-tools')}.json`,
  }
  const routing = parse(sources.routing) as Contracts['routing']
  const schemasOf = (room: string) =>
    schemaContracts(files, room).map((contract) => parse(`${contract}.${currentOf(contract)}.schema.json`) as Schema)
  const { hints } = parse(`search/use-when.${currentOf('search/use-when')}.json`) as { hints: Record<string, string[]> }
  const contracts = {
    files,
    sources,
    tools: routing.rows.map((row) => parse(`${sources.tools}${row.tool}.json`) as ToolContract),
    metaTools: (parse(sources.metaTools) as { tools: ToolContract[] }).tools,
    gatewayTools: (parse(sources.gatewayTools) as { tools: ToolContract[] }).tools,
    routing,
    protocol: parse(sources.protocol) as Record<string, unknown>,
    useWhen: hints,
    schemas: { backends: schemasOf('backends'), router: schemasOf('router'), config: schemasOf('config') },
  }
  checkContracts(contracts, parse('routing/routing.schema.json') as Schema)
  return contracts
}

function readTree(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
  return new Map(names.sort().map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

/** The contracts of a room that are schemas, each once, however many versions it has: `router/error`. */
function schemaContracts(files: Map<string, string>, room: string): string[] {
  const versions = [...files.keys()].map((name) => /^(.+)\.v\d+\.schema\.json$/.exec(name)?.[1])
  return [...new Set(versions)].filter((contract) => contract?.startsWith(`${room}/`)) as string[]
}

function checkContracts(contracts: Contracts, routingSchema: Schema): void {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
  for (const schema of [...contracts.schemas.backends, ...contracts.schemas.router, ...contracts.schemas.config]) {
    if (!ajv.validateSchema(schema)) throw new Error(`${schema.$id}: ${ajv.errorsText()}`)
  }
  const { tools, routing } = contracts.sources
  if (!ajv.validate(routingSchema, contracts.routing)) throw new Error(`contracts/${routing}: ${ajv.errorsText()}`)
  const names = contracts.routing.rows.map((row) => row.tool)
  if (new Set(names).size !== names.length) throw new Error(`contracts/${routing} names a tool twice`)
  const files = [...contracts.files.keys()]
    .filter((name) => name.startsWith(tools))
    .map((name) => path.basename(name, '.json'))
  const unrouted = files.filter((name) => !names.includes(name))
  if (unrouted.length > 0) throw new Error(`no owner for ${unrouted.join(', ')}: add a row to contracts/${routing}`)
  const unhinted = names.filter((name) => !contracts.useWhen[name]?.length)
  if (unhinted.length > 0)
    throw new Error(`no hints for ${unhinted.join(', ')}: add them to the current contracts/search/use-when`)
  for (const tool of contracts.tools) {
    if (!ajv.validateSchema(tool.inputSchema))
      throw new Error(`contracts/${tools}${tool.name}.json: ${ajv.errorsText()}`)
  }
  for (const tool of [...contracts.metaTools, ...contracts.gatewayTools]) {
    if (names.includes(tool.name)) throw new Error(`the router's own tool ${tool.name} has the name of a contract tool`)
    if (!ajv.validateSchema(tool.inputSchema))
      throw new Error(`the router's own tool ${tool.name}: ${ajv.errorsText()}`)
  }
}
