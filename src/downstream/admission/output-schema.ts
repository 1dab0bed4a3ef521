// Pure: the output schema of a mounted tool, as it stands beside our receipt.
import { isObject } from '../../json/read.ts'

const receipt = {
  type: 'object',
  properties: { status: { const: 'stored' }, callId: { type: 'string' } },
  required: ['status', 'callId'],
}
const failure = { type: 'object', description: 'What is said of an error, when isError is true.' }

/**
 * The official client refuses whatever differs from the tool's own schema: a receipt, and what a server says of an error. So the
 * schema tells what to expect and refuses no object. References inside it lead to what they led to before. Undefined when that
 * cannot be had: the schema holds identifiers of its own inside, or references that depend on who refers.
 */
export function orReceipt(own: Record<string, unknown>): Record<string, unknown> | undefined {
  const { $schema, $id, $defs, definitions, ...schema } = own
  const moved = new Mover(typeof $id === 'string' ? $id.replace(/#$/, '') : undefined)
  // Definitions stay at the root, where the usual references look for them.
  const roots = Object.fromEntries(
    Object.entries({ $defs, definitions }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, moved.value(value)]],
    ),
  )
  const dialect = typeof $schema === 'string' && dialects.test($schema) ? { $schema } : {}
  const anyOf = [moved.value(schema), receipt, failure]
  return moved.isPossible ? { ...dialect, ...roots, type: 'object', anyOf } : undefined
}

/** The dialects that the official clients know; of another one they refuse the tool. */
const dialects = /^https?:\/\/json-schema\.org\/(draft\/20(19-09|20-12)|draft-0[67])\/schema#?$/

/** Members that hold values and no schemas. */
const values = new Set(['const', 'enum', 'default', 'examples'])

/** Copies a schema to its new place below `anyOf`. */
class Mover {
  isPossible = true
  readonly #id: string | undefined

  constructor(id: string | undefined) {
    this.#id = id
  }

  value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (!isObject(value)) return value
    if (typeof value.$id === 'string' || '$recursiveRef' in value || '$dynamicRef' in value) this.isPossible = false
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (values.has(name)) return [name, member]
        return [name, name === '$ref' && typeof member === 'string' ? this.#reference(member) : this.value(member)]
      }),
    )
  }

  #reference(reference: string): string {
    const local =
      this.#id !== undefined && reference.startsWith(`${this.#id}#`) ? reference.slice(this.#id.length) : reference
    if (local === '#' || local === this.#id) return '#/anyOf/0'
    if (!local.startsWith('#/') || /^#\/(\$defs|definitions)(\/|$)/.test(local)) return local
    return `#/anyOf/0${local.slice(1)}`
  }
}
