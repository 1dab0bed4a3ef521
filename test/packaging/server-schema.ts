/**
 * The part of the MCP registry's server.json of 2025-12-11 that ours uses, written down from its published text and stricter: what is
 * not listed here is refused.
 */
const text = (maxLength: number, more: object = {}) => ({ type: 'string', minLength: 1, maxLength, ...more })

const variable = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'description'],
  properties: {
    name: text(255, { pattern: '^[A-Z][A-Z0-9_]*$' }),
    description: text(255),
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    format: { enum: ['string', 'number', 'boolean', 'filepath'] },
    default: { type: 'string' },
    placeholder: { type: 'string' },
    choices: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
}

const npmPackage = {
  type: 'object',
  additionalProperties: false,
  required: ['registryType', 'identifier', 'version', 'transport'],
  properties: {
    registryType: { const: 'npm' },
    // The official registry takes npm's own and no mirror.
    registryBaseUrl: { const: 'https://registry.npmjs.org' },
    identifier: text(214),
    // A range is refused, and so is a tag.
    version: text(255, { pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$' }),
    runtimeHint: { enum: ['npx'] },
    transport: {
      type: 'object',
      additionalProperties: false,
      required: ['type'],
      properties: { type: { const: 'stdio' } },
    },
    environmentVariables: { type: 'array', items: variable },
  },
}

/** A JSON Schema of draft 2020-12. */
export const serverSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'name', 'description', 'version', 'packages'],
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    // A reversed domain, one slash, the server.
    name: text(200, { minLength: 3, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    title: text(100),
    description: text(100),
    version: text(255, { pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$' }),
    packages: { type: 'array', items: npmPackage, minItems: 1 },
  },
}
