const annotations = ['title', 'description', '$comment', 'examples']
/** Keywords whose members are named by the author, and keywords that hold values. */
const named = ['properties', 'patternProperties', '$defs', 'dependentSchemas']
const values = ['const', 'enum', 'default']

/** A schema without what only people read: it accepts the same values, and its validator carries no prose. */
export function withoutAnnotations<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map((item: unknown) => withoutAnnotations(item)) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.includes(keyword))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, plainMember(keyword, value)])) as T
}

function plainMember(keyword: string, value: unknown): unknown {
  if (values.includes(keyword)) return value
  if (!named.includes(keyword)) return withoutAnnotations(value)
  const members = Object.entries(value as Record<string, unknown>)
  return Object.fromEntries(members.map(([name, part]) => [name, withoutAnnotations(part)]))
}
