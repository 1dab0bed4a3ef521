import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** A JSON Schema as read from a file. */
export type Schema = Record<string, unknown> & { $id: string; title: string }

/** One tool as contracts/tools/v1 writes it. */
export interface ToolContract {
  name: string
  title: string
  description: string
  annotations?: Record<string, unknown>
  inputSchema: Record<string, unknown>
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
  tools: ToolContract[]
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
  const routing = parse('routing/v1.json') as Contracts['routing']
  const tools = routing.rows.map((row) => parse(`tools/v1/${row.tool}.json`) as ToolContract)
  const schemas = {
    backends: schemasIn(files, 'backends/'),
    router: schemasIn(files, 'router/'),
    config: schemasIn(files, 'config/'),
  }
  const { hints } = parse('search/use-when.v1.json') as { hints: Record<string, string[]> }
  const contracts = {
    files,
    tools,
    routing,
    protocol: parse('router/protocol.v1.json') as Record<string, unknown>,
    useWhen: hints,
    schemas,
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

function schemasIn(files: Map<string, string>, prefix: string): Schema[] {
  return [...files]
    .filter(([name]) => name.startsWith(prefix) && name.endsWith('.schema.json'))
    .map(([, text]) => JSON.parse(text) as Schema)
}

function checkContracts(contracts: Contracts, routingSchema: Schema): void {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
  for (const schema of [...contracts.schemas.backends, ...contracts.schemas.router, ...contracts.schemas.config]) {
    if (!ajv.validateSchema(schema)) throw new Error(`${schema.$id}: ${ajv.errorsText()}`)
  }
  if (!ajv.validate(routingSchema, contracts.routing)) throw new Error(`contracts/routing/v1.json: ${ajv.errorsText()}`)
  const names = contracts.routing.rows.map((row) => row.tool)
  if (new Set(names).size !== names.length) throw new Error('contracts/routing/v1.json names a tool twice')
  const files = [...contracts.files.keys()]
    .filter((name) => name.startsWith('tools/v1/'))
    .map((name) => path.basename(name, '.json'))
  const unrouted = files.filter((name) => !names.includes(name))
  if (unrouted.length > 0)
    throw new Error(`no owner for ${unrouted.join(', ')}: add a row to contracts/routing/v1.json`)
  const unhinted = names.filter((name) => !contracts.useWhen[name]?.length)
  if (unhinted.length > 0)
    throw new Error(`no hints for ${unhinted.join(', ')}: add them to contracts/search/use-when.v1.json`)
  for (const tool of contracts.tools) {
    if (!ajv.validateSchema(tool.inputSchema))
      throw new Error(`contracts/tools/v1/${tool.name}.json: ${ajv.errorsText()}`)
  }
}
