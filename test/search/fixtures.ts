// The two sets of tools that search cases speak of, as documents, and small builders.
import type { ServerHints, ToolDocument } from '../../src/search/document.ts'

/** One tool; its short name is its wire name unless told. */
export function tool(
  server: ServerHints | string,
  wireName: string,
  description = '',
  more: Partial<ToolDocument> = {},
): ToolDocument {
  const hints = typeof server === 'string' ? { name: server } : server
  const shortName = more.shortName ?? wireName
  const publicName = `${hints.name}__${shortName}`
  const aliases = [`${hints.name}__${wireName}`]
  return {
    id: `${hints.name}/${wireName}`,
    server: hints,
    wireName,
    shortName,
    publicName,
    aliases,
    description,
    ...more,
  }
}

/** An input schema with these properties. */
export const input = (...names: string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})

const atlas: ServerHints = {
  name: 'atlas',
  description: 'Street maps and travel times',
  tags: ['maps', 'travel'],
  useWhen: ['estimate how long a trip takes between two places'],
}
const ledger: ServerHints = {
  name: 'ledger',
  description: 'Bookkeeping entries and invoices',
  tags: ['finance'],
  useWhen: ['record or look up an invoice or payment'],
}
const scribe: ServerHints = { name: 'scribe', description: 'Personal notes', tags: ['notes'] }

/** Fixture F. */
export const fixtureF: readonly ToolDocument[] = [
  tool(atlas, 'atlas_geocode', 'Turn a postal address into latitude and longitude.', {
    shortName: 'geocode',
    title: 'Find coordinates',
    inputSchema: input('address', 'country'),
  }),
  tool(atlas, 'atlas_route', 'Compute a driving route and travel time between two points.', {
    shortName: 'route',
    useWhen: ['choose the fastest way to drive somewhere'],
    inputSchema: input('from', 'to', 'avoid'),
  }),
  tool(ledger, 'add_entry', 'Append one bookkeeping entry.', { inputSchema: input('amount', 'memo') }),
  tool(ledger, 'list_entries', 'List bookkeeping entries for a date range.', { inputSchema: input('since', 'until') }),
  tool(scribe, 'scribe-read', 'Open a stored note by its identifier.', { shortName: 'read', inputSchema: input('id') }),
]

/** Fixture G. */
export const fixtureG: readonly ToolDocument[] = Array.from({ length: 120 }, (_, n) =>
  tool('many', `t${String(n).padStart(3, '0')}`, 'Inspect widget.'),
)
