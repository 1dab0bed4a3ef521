// A catalog of our own to judge searching with: the 34 contract tools and servers made up for it, and labelled requests.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toolDefinitions, useWhen } from '#generated/catalog.js'
import { ownership } from '#generated/ownership.js'
import type { ServerHints, ToolDocument } from '../../src/search/document.ts'

/** One labelled request; `expect` lists the ids of the right tools (any counts), empty when no tool fits. */
export interface GoldenQuery {
  kind: 'natural' | 'typo' | 'plural' | 'camel' | 'spanish' | 'chinese' | 'european' | 'server' | 'none'
  query: string
  expect: string[]
}

interface InventedServer {
  name: string
  description: string
  tools: { name: string; description: string; input: string[] }[]
}

const read = (name: string): unknown => JSON.parse(readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8'))

export const goldenQueries = read('queries.json') as GoldenQuery[]

const owners: Record<string, ServerHints> = {
  hubu: { name: 'hubu', description: 'Decides about money: people, agents, policies, budgets, payments and ledger' },
  gongbu: { name: 'gongbu', description: 'Executes paid provider work and keeps its artifacts' },
}

/** The contract tools under their contract names, as the built-in servers own them. */
export function contractDocuments(): ToolDocument[] {
  return toolDefinitions.map((tool) => {
    const owner = ownership[tool.name].owner === 'gongbu' ? 'gongbu' : 'hubu'
    const { name: wireName, title, description, inputSchema } = tool
    const shortName = wireName.replace(`${owner}_`, '')
    const names = { id: `${owner}/${wireName}`, server: owners[owner] ?? { name: owner }, wireName, shortName }
    const aliases = [`${owner}__${shortName}`, `${owner}__${wireName}`]
    const texts = { title, description, inputSchema, useWhen: useWhen[wireName] }
    return { ...names, publicName: wireName, aliases, ...texts }
  })
}

/** The made-up servers' tools. */
export function inventedDocuments(): ToolDocument[] {
  const { servers } = read('catalog.json') as { servers: InventedServer[] }
  return servers.flatMap(({ name, description: about, tools }) =>
    tools.map(({ name: wireName, description, input }) => ({
      id: `${name}/${wireName}`,
      server: { name, description: about },
      wireName,
      shortName: wireName,
      publicName: `${name}__${wireName}`,
      description,
      inputSchema: { type: 'object', properties: Object.fromEntries(input.map((key) => [key, { type: 'string' }])) },
    })),
  )
}

/** All of them. */
export const goldenDocuments = (): ToolDocument[] => [...contractDocuments(), ...inventedDocuments()]
