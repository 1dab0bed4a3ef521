import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { banner } from './banner.ts'
import { pascal } from './names.ts'
import type { Contracts, Schema } from './read-contracts.ts'

const options = {
  bannerComment: '',
  additionalProperties: false,
  unreachableDefinitions: false,
  // A list of at most ten is a list; the validators count.
  ignoreMinAndMaxItems: true,
  style: { semi: false, singleQuote: true, printWidth: 120 },
}

/** TypeScript types of everything that crosses a border: generated/types/*.d.ts. */
export async function emitTypes(contracts: Contracts): Promise<Map<string, string>> {
  const { tools, metaTools, gatewayTools, schemas, sources } = contracts
  return new Map([
    ['types/tools.d.ts', banner(sources.tools) + (await toolTypes(tools, 'ToolArguments'))],
    ['types/meta-tools.d.ts', banner(sources.metaTools) + (await toolTypes(metaTools, 'MetaToolArguments'))],
    [
      'types/gateway-tools.d.ts',
      banner(sources.gatewayTools) + (await toolTypes(gatewayTools, 'GatewayToolArguments')),
    ],
    ['types/backends.d.ts', banner('backends/') + (await typesOf(schemas.backends))],
    ['types/router.d.ts', banner('router/') + (await typesOf(schemas.router))],
    ['types/config.d.ts', banner('config/') + (await typesOf(schemas.config))],
  ])
}

async function typesOf(all: Schema[]): Promise<string> {
  const parts: string[] = []
  for (const schema of all) parts.push(await compile(structuredClone(schema) as JSONSchema, schema.title, options))
  return parts.join('\n')
}

async function toolTypes(tools: Contracts['tools'], table: string): Promise<string> {
  const parts: string[] = []
  for (const tool of tools) {
    const name = `${pascal(tool.name)}Arguments`
    parts.push(await compile({ ...structuredClone(tool.inputSchema), title: name } as JSONSchema, name, options))
  }
  const rows = tools.map((tool) => `  ${tool.name}: ${pascal(tool.name)}Arguments`)
  return `${parts.join('\n')}\n/** The arguments of each tool, by name. */\nexport interface ${table} {\n${rows.join('\n')}\n}\n`
}
