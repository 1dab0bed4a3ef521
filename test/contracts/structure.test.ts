import { expect, test } from 'vitest'
import { toolDefinitions } from '#generated/catalog.js'
import { contractVersion, ownership, routingRevision } from '#generated/ownership.js'
import { readGolden } from '../golden/recording.ts'

interface Structure {
  contract_version: string
  routing_revision: number
  annotations_by_approval_class: Record<string, object | null>
  tools: { name: string; owner: string; approval_class: string; inputSchema: object }[]
}

const structure = readGolden('catalog/structure.json') as Structure
const definitionOf = new Map<string, (typeof toolDefinitions)[number]>(toolDefinitions.map((tool) => [tool.name, tool]))

/** The schema without the words, at every depth; a member that is named `description` stays. */
function withoutWords(schema: unknown, isSchema = true): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutWords(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([name]) => !(isSchema && name === 'description'))
  return Object.fromEntries(members.map(([name, value]) => [name, withoutWords(value, name !== 'properties')]))
}

test('the fixture holds the 34 tools of this contract', () => {
  expect([structure.contract_version, structure.routing_revision]).toEqual([contractVersion, routingRevision])
  expect(structure.tools.map(({ name }) => name).sort()).toEqual(toolDefinitions.map(({ name }) => name).sort())
})

test.each(structure.tools.map((tool) => [tool.name, tool] as const))(
  '%s has the structure and annotations of the contract, apart from its words',
  (name, tool) => {
    const definition = definitionOf.get(name)!
    expect(withoutWords(definition.inputSchema)).toStrictEqual(tool.inputSchema)
    const annotations = structure.annotations_by_approval_class[tool.approval_class]
    expect(definition.annotations ?? null).toStrictEqual(annotations)
    const { owner, approval_class } = ownership[definition.name]
    expect([owner, approval_class]).toEqual([tool.owner, tool.approval_class])
  },
)
