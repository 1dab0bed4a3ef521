// The catalog of fixture F: three servers, five tools.
import type { CatalogServer, CatalogTool } from '../../src/gateway/catalog/catalog-tool.ts'
import { aliases, planShortNames, publicName } from '../../src/names/short-name.ts'

const text = { type: 'string' }

/** An input schema without anything but properties and required names. */
export function schemaOf(properties: Record<string, unknown>, required: string[] = []): object {
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** One tool with no texts but those given. */
export function catalogTool(server: CatalogServer, wireName: string, more: Partial<CatalogTool> = {}): CatalogTool {
  const part = planShortNames(server.name, [wireName]).get(wireName) ?? wireName
  return {
    server,
    wireName,
    shortName: part,
    publicName: publicName(server.name, part),
    aliases: aliases(server.name, wireName),
    title: '',
    description: '',
    inputSchema: schemaOf({}),
    useWhen: [],
    isDirectCall: false,
    ...more,
  }
}

export const atlas: CatalogServer = {
  name: 'atlas',
  description: 'Street maps and travel times',
  tags: ['maps', 'travel'],
  useWhen: ['estimate how long a trip takes between two places'],
}
const ledger: CatalogServer = {
  name: 'ledger',
  description: 'Bookkeeping entries and invoices',
  tags: ['finance'],
  useWhen: ['record or look up an invoice or payment'],
}
const scribe: CatalogServer = { name: 'scribe', description: 'Personal notes', tags: ['notes'] }

/** The five tools; `scribeHints` are the scribe's own. */
export function catalogF(scribeHints: readonly string[] = []): CatalogTool[] {
  const notes = scribeHints.length > 0 ? { ...scribe, useWhen: scribeHints } : scribe
  return [
    catalogTool(atlas, 'atlas_geocode', {
      title: 'Find coordinates',
      description: 'Turn a postal address into latitude and longitude.',
      inputSchema: schemaOf({ address: text, country: text }, ['address']),
    }),
    catalogTool(atlas, 'atlas_route', {
      description: 'Compute a driving route and travel time between two points.',
      inputSchema: schemaOf({ from: text, to: text, avoid: { type: 'array', items: text } }, ['from', 'to']),
      useWhen: ['choose the fastest way to drive somewhere'],
    }),
    catalogTool(ledger, 'add_entry', {
      description: 'Append one bookkeeping entry.',
      inputSchema: schemaOf({ amount: text, memo: text }, ['amount']),
    }),
    catalogTool(ledger, 'list_entries', {
      description: 'List bookkeeping entries for a date range.',
      inputSchema: schemaOf({ since: text, until: text }),
    }),
    catalogTool(notes, 'scribe-read', {
      description: 'Open a stored note by its identifier.',
      inputSchema: schemaOf({ id: text }, ['id']),
    }),
  ]
}
