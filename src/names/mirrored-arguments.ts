// Pure: arguments of tools that are repeated in headers of HTTP, for whoever looks at headers only.

/** One argument, by where it stands in the arguments, and the end of its header's name: `Mcp-Param-NAME`. */
export interface MirroredArgument {
  path: readonly string[]
  header: string
}

const mark = 'x-mcp-header'
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const types: readonly unknown[] = ['string', 'integer', 'boolean']

type Node = Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The arguments that a tool's input schema marks. Undefined when a mark breaks the rules of the revision: it stands on a text, an
 * integer or a truth value that is reached by `properties` alone, and no two are the same header.
 */
export function mirroredArguments(inputSchema: unknown): MirroredArgument[] | undefined {
  const found: MirroredArgument[] = []
  const visit = (node: Node, path: readonly string[]): boolean => {
    if (Object.hasOwn(node, mark)) {
      const header = node[mark]
      if (path.length === 0 || typeof header !== 'string' || !token.test(header)) return false
      if (!types.includes(node.type)) return false
      if (found.some((other) => other.header.toLowerCase() === header.toLowerCase())) return false
      found.push({ path, header })
    }
    return Object.entries(node).every(([name, value]) => {
      if (name === 'properties' && isNode(value))
        return Object.entries(value).every(([key, child]) => !isNode(child) || visit(child, [...path, key]))
      return !mayHoldSchemas.has(name) || !isMarked(value)
    })
  }
  return !isNode(inputSchema) || visit(inputSchema, []) ? found : undefined
}

/** Schemas that stand under these are not always those of an argument. What else a schema holds is data. */
const mayHoldSchemas: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'patternProperties', 'dependentSchemas', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
  ...['$defs', 'definitions'],
])

function isMarked(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isMarked)
  return isNode(value) && (Object.hasOwn(value, mark) || Object.values(value).some(isMarked))
}

/** What a header repeats of these arguments; undefined when the argument is not there, null, or of a type that no header has. */
export function mirroredValue({ path }: MirroredArgument, args: unknown): string | undefined {
  const value = path.reduce<unknown>(
    (node, name) => (isNode(node) && Object.hasOwn(node, name) ? node[name] : undefined),
    args,
  )
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined
}
