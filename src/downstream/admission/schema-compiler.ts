// Whether the official clients can compile a schema. They compile every output schema of a list, and refuse the whole list for one.
import addFormatsModule from 'ajv-formats'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'

// The one declares its function as the module, the other bundlers as its default.
const addFormats = ('default' in addFormatsModule ? addFormatsModule.default : addFormatsModule) as (ajv: Ajv) => Ajv

/** As both generations of the official client have it. */
const settings = {
  strict: false,
  validateFormats: true,
  validateSchema: false,
  allErrors: true,
  logger: false,
} as const

type Dialect = typeof Ajv | typeof Ajv2019 | typeof Ajv2020
const compilers = new Map<Dialect, Ajv>()

function compilerOf(dialect: Dialect): Ajv {
  let compiler = compilers.get(dialect)
  if (compiler === undefined) compilers.set(dialect, (compiler = addFormats(new dialect(settings) as Ajv)))
  return compiler
}

/** The former generation takes every schema for draft-07; the present one goes by what the schema says, or takes it for 2020-12. */
export function canCompile(schema: Record<string, unknown>): boolean {
  const said = typeof schema.$schema === 'string' ? schema.$schema : ''
  const present = said.includes('2019-09') ? Ajv2019 : /draft-0[67]/.test(said) ? Ajv : Ajv2020
  return [...new Set<Dialect>([Ajv, present])].every((dialect) => {
    const compiler = compilerOf(dialect)
    try {
      compiler.compile(schema)
      return true
    } catch {
      return false
    } finally {
      compiler.removeSchema(schema)
    }
  })
}
