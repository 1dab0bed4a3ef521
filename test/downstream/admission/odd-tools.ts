// Definitions that servers in the field list, and of which each alone made the official client refuse a whole list.

interface OddTool {
  why: string
  tool: Record<string, unknown>
  /** Undefined: it is not shown at all. */
  leftOut: string[] | undefined
}

const type = 'object'
const output = (schema: object) => ({ outputSchema: { type, ...schema } })

/** Members besides name and input schema, which are right unless given here. */
export const oddTools: OddTool[] = [
  { why: 'with required: null', tool: { inputSchema: { type, required: null } }, leftOut: ['inputSchema.required'] },
  {
    why: 'with properties: null',
    tool: { inputSchema: { type, properties: null } },
    leftOut: ['inputSchema.properties'],
  },
  { why: 'with a property that is true', tool: { inputSchema: { type, properties: { any: true } } }, leftOut: [] },
  { why: 'with a property that is null', tool: { inputSchema: { type, properties: { any: null } } }, leftOut: [] },
  {
    why: 'with a property that is a text',
    tool: { inputSchema: { type, properties: { a: 'x' } } },
    leftOut: undefined,
  },
  { why: 'that requires a number', tool: { inputSchema: { type, required: [1] } }, leftOut: undefined },
  { why: 'with annotations: null', tool: { annotations: null }, leftOut: ['annotations'] },
  { why: 'with title: null', tool: { title: null }, leftOut: ['title'] },
  { why: 'with description: null', tool: { description: null }, leftOut: ['description'] },
  { why: 'with icons: null', tool: { icons: null }, leftOut: ['icons'] },
  { why: 'with an icon without an address', tool: { icons: [{}] }, leftOut: ['icons'] },
  { why: 'with _meta: null', tool: { _meta: null }, leftOut: ['_meta'] },
  {
    why: 'with a hint that is a text',
    tool: { annotations: { readOnlyHint: 'true', title: 'T' } },
    leftOut: ['annotations.readOnlyHint'],
  },
  { why: 'with outputSchema: null', tool: { outputSchema: null }, leftOut: ['outputSchema'] },
  { why: 'whose output has required: null', tool: output({ required: null }), leftOut: [] },
  {
    why: 'whose output has a nested required: null',
    tool: output({ properties: { a: { required: null } } }),
    leftOut: ['outputSchema'],
  },
  {
    why: 'whose output has no pattern of ECMAScript',
    tool: output({ properties: { a: { pattern: '(?i)x' } } }),
    leftOut: ['outputSchema'],
  },
  {
    why: 'whose output is of draft-04',
    tool: output({
      $schema: 'http://json-schema.org/draft-04/schema#',
      properties: { a: { minimum: 0, exclusiveMinimum: true } },
    }),
    leftOut: ['outputSchema'],
  },
  {
    why: 'whose output refers to nothing',
    tool: output({ properties: { a: { $ref: '#/$defs/none' } } }),
    leftOut: ['outputSchema'],
  },
  {
    why: 'whose output refers to another file',
    tool: output({ properties: { a: { $ref: 'other.json' } } }),
    leftOut: ['outputSchema'],
  },
  { why: 'whose output has a schema mark that is null', tool: output({ $schema: null }), leftOut: [] },
]
