// Values near a JSON Schema: most of them valid, or valid but for one place.
import fc from 'fast-check'

type Node = boolean | { readonly [keyword: string]: unknown }

/** Most mistakes are small ones: a number off by one, an empty text, another type. */
const changes = ['nudge', 'nudge', 'nudge', 'replace', 'remove', 'add'] as const

/** JSON values for a schema: valid ones as far as its keywords are known here, mutated ones, and any others. */
export function valuesNear(schema: Node, root: Node = schema): fc.Arbitrary<unknown> {
  const valid = valuesOf(schema, root)
  const mutated = fc
    .tuple(valid, fc.nat(), fc.nat(), fc.constantFrom(...changes), fc.jsonValue({ maxDepth: 1 }))
    .map(([value, at, which, how, other]) => mutate(value, { at, which, how, other }))
  return fc.oneof({ weight: 2, arbitrary: valid }, { weight: 6, arbitrary: mutated }, fc.jsonValue({ maxDepth: 2 }))
}

function valuesOf(schema: Node, root: Node): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return fc.jsonValue({ maxDepth: 1 })
  if (typeof schema.$ref === 'string') return valuesOf(resolve(root, schema.$ref), root)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  const options = (schema.anyOf ?? schema.oneOf) as Node[] | undefined
  if (options !== undefined) return fc.oneof(...options.map((option) => valuesOf(option, root)))
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: unknown) => valuesOf({ ...schema, type }, root)))
  }
  switch (schema.type) {
    case 'object':
      return objectsOf(schema, root)
    case 'array':
      return fc.array(valuesOf((schema.items ?? true) as Node, root), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 3), 3),
      })
    case 'string':
      return stringsOf(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: Number(schema.minimum ?? -5), max: Number(schema.minimum ?? 0) + 9_999 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

function objectsOf(schema: { readonly [keyword: string]: unknown }, root: Node): fc.Arbitrary<object> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Node>)
  const required = new Set((schema.required ?? []) as string[])
  const model = Object.fromEntries(properties.map(([name, node]) => [name, valuesOf(node, root)]))
  const known = fc.record(model, {
    requiredKeys: properties.map(([name]) => name).filter((name) => required.has(name)),
  })
  const extra = schema.additionalProperties
  if (extra === undefined || extra === false) return known
  const others = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), valuesOf(extra as Node, root), { maxKeys: 2 })
  return fc.tuple(others, known).map(([more, members]) => ({ ...more, ...members }))
}

function stringsOf(schema: { readonly [keyword: string]: unknown }): fc.Arbitrary<string> {
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern))
  const minLength = Number(schema.minLength ?? 0)
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(Number(schema.maxLength ?? 12), 12)) })
}

function resolve(root: Node, reference: string): Node {
  const names = reference.slice(2).split('/')
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], root) as Node
}

type Place = { holder: Record<string, unknown>; name: string }

interface Mutation {
  /** Which place, counted round. */
  at: number
  /** Which of the small mistakes, counted round. */
  which: number
  how: (typeof changes)[number]
  other: unknown
}

/** Changes one place of a value, however deep. A value without places is replaced. */
function mutate(value: unknown, { at, which, how, other }: Mutation): unknown {
  const changed = structuredClone(value)
  if (how === 'add' && typeof changed === 'object' && changed !== null && !Array.isArray(changed)) {
    return { ...changed, unforeseen: other }
  }
  const places = placesOf(changed)
  const place = places[at % Math.max(places.length, 1)]
  if (place === undefined) return how === 'nudge' ? nudge(changed, which) : other
  const { holder, name } = place
  if (how === 'remove') delete holder[name]
  else holder[name] = how === 'nudge' ? nudge(holder[name], which) : other
  return JSON.parse(JSON.stringify(changed)) as unknown
}

/** The value with a small mistake. */
function nudge(value: unknown, which: number): unknown {
  const mistakes = mistakesOf(value)
  return mistakes[which % mistakes.length]
}

function mistakesOf(value: unknown): readonly unknown[] {
  switch (typeof value) {
    case 'number':
      return [value - 1, value + 1, -1, 0, value + 0.5, 2 ** 53, String(value)]
    case 'string':
      return ['', `${value} `, `${value}\n`, value.slice(1), value.toUpperCase(), 'x'.repeat(161), 'x'.repeat(600), 7]
    case 'boolean':
      return [null, 0, String(value)]
    default:
      return [null, {}, [], 0, '']
  }
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesOf(holder[name])])
}
