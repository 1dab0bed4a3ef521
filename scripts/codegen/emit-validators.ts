import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneModule from 'ajv/dist/standalone/index.js'
import { banner } from './banner.ts'
import { definitionNames, pascal } from './names.ts'
import { withoutAnnotations } from './plain-schema.ts'
import type { Contracts, Schema } from './read-contracts.ts'

const standalone = standaloneModule.default

/** Options of both the generated and the interpreted validators (test/contracts compares them). */
export const ajvOptions = { strict: true, allErrors: true, allowUnionTypes: true } as const

/** Standalone ajv validators as ESM: generated/validators/*.js with a type guard declared for each. */
export function emitValidators(contracts: Contracts): Map<string, string> {
  const { schemas, sources } = contracts
  const files = new Map<string, string>()
  const add = (name: string, source: string, [code, types]: [string, string]) => {
    files.set(`validators/${name}.js`, banner(source) + code)
    files.set(`validators/${name}.d.ts`, banner(source) + types)
  }
  add('tools', sources.tools, toolValidators(contracts.tools, 'tools', 'toolValidators', 'ToolArguments'))
  add(
    'meta-tools',
    sources.metaTools,
    toolValidators(contracts.metaTools, 'meta-tools', 'metaToolValidators', 'MetaToolArguments'),
  )
  add(
    'gateway-tools',
    sources.gatewayTools,
    toolValidators(contracts.gatewayTools, 'gateway-tools', 'gatewayToolValidators', 'GatewayToolArguments'),
  )
  add('backends', 'backends/', schemaValidators(schemas.backends, 'backends'))
  add('router', 'router/', schemaValidators(schemas.router, 'router'))
  add('config', 'config/', schemaValidators(schemas.config, 'config'))
  return files
}

const validatorType = `/** One broken rule, as ajv reports it. */
export interface Issue {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
  message?: string
}
/** A type guard that keeps what was wrong with the last value it refused. */
export interface Validator<T> {
  (value: unknown): value is T
  errors?: Issue[] | null
}
`

function toolValidators(tools: Contracts['tools'], file: string, table: string, type: string): [string, string] {
  const ajv = compiler()
  for (const tool of tools) ajv.addSchema(withoutAnnotations(tool.inputSchema), `tool:${tool.name}`)
  const code = standalone(ajv, Object.fromEntries(tools.map((tool) => [tool.name, `tool:${tool.name}`])))
  const types = `import type { ${type} } from '../types/${file}.js'\n\n${validatorType}/** The schema gate of each tool. */\nexport declare const ${table}: { [Name in keyof ${type}]: Validator<${type}[Name]> }\n`
  return [toModule(code, table), types]
}

function schemaValidators(all: Schema[], types: string): [string, string] {
  const ajv = compiler()
  const exported: Record<string, string> = {}
  for (const schema of all) {
    ajv.addSchema(withoutAnnotations(schema))
    exported[`is${pascal(schema.title)}`] = schema.$id
    for (const name of definitionNames(schema)) exported[`is${name}`] = `${schema.$id}#/$defs/${name}`
  }
  const names = Object.keys(exported).map((name) => name.slice(2))
  const declarations = names.map((name) => `export declare const is${name}: Validator<${name}>`)
  return [
    toModule(standalone(ajv, exported)),
    `import type { ${names.join(', ')} } from '../types/${types}.js'\n\n${validatorType}${declarations.join('\n')}\n`,
  ]
}

/** No contract says `unevaluated…`; without it ajv needs no table beside each function, which a bundler could not drop. */
function compiler(): Ajv2020 {
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true } })
  ajv.opts.unevaluated = false
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems']) ajv.removeKeyword(keyword)
  return ajv
}

/**
 * ajv's ESM output in a form of which a bundler keeps only what is imported: `require()` becomes imports, every constant is
 * made by an expression without side effects, and the exports stand last, or in one `table`.
 */
function toModule(code: string, table?: string): string {
  const imports = new Map<string, string>()
  const exported: [name: string, validator: string][] = []
  const body = code
    .replace(/require\("(ajv\/dist\/runtime\/[\w-]+)"\)\.default/g, (_match, module: string) => {
      const name = `runtime_${module.split('/').at(-1)?.replaceAll('-', '_')}`
      imports.set(module, name)
      return `/* @__PURE__ */ (() => ${name}.default ?? ${name})()`
    })
    .replace(/export const (\w+) = (validate\d+);/g, (_match, name: string, validator: string) => {
      exported.push([name, validator])
      return ''
    })
    .replaceAll('new RegExp(', '/* @__PURE__ */ new RegExp(')
    .replaceAll('function validate', '\nfunction validate')
  if (/require\(|export const|^validate\d+\./m.test(body))
    throw new Error('ajv generated a line that codegen does not know')
  const lines = [...imports].sort().map(([module, name]) => `import ${name} from "${module}.js";\n`)
  const last =
    table === undefined
      ? `export { ${exported.map(([name, validator]) => `${validator} as ${name}`).join(', ')} };`
      : `export const ${table} = { ${exported.map(([name, validator]) => `${name}: ${validator}`).join(', ')} };`
  return `${lines.join('')}${body}\n${last}\n`
}
