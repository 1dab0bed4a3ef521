// Pure: which tools `tools/list` shows besides the meta-tools.
import { fitSchemas, type SchemaBudgetReport } from './schema-budget.ts'

/** A tool in scope that could be listed. */
export interface Listable {
  name: string
  /** Its complete definition, as it would be listed. */
  definition: object
  isPinned: boolean
  /** A protected or spend tool: a client decides about it by its name, so it is listed whatever pins and budget say. */
  isByNameOnly: boolean
}

/** What decides. */
export interface ListingRules {
  expose: 'all' | 'lazy'
  /** Bytes of all definitions together; undefined: no limit. */
  budgetBytes: number | undefined
  /** The agent asked for nothing but the meta-tools: `pin: []` and a budget of zero, both explicit. */
  isBare: boolean
}

/** The listed tools, in the order given, and what became of the budget. */
export interface Chosen<T extends Listable> {
  listed: T[]
  report: SchemaBudgetReport | undefined
}

export function chooseListed<T extends Listable>(tools: readonly T[], rules: ListingRules): Chosen<T> {
  const isByName = (tool: T) => tool.isByNameOnly && !rules.isBare
  const eligible = tools.filter((tool) => !isByName(tool) && (rules.expose === 'all' || tool.isPinned))
  const report = rules.budgetBytes === undefined ? undefined : fitSchemas(eligible.map(sizeOf), rules.budgetBytes)
  const shown = new Set(report === undefined ? eligible.map(({ name }) => name) : report.advertised_names)
  return { listed: tools.filter((tool) => isByName(tool) || shown.has(tool.name)), report }
}

const sizes = new WeakMap<object, number>()

function sizeOf({ name, definition }: Listable): { name: string; bytes: number } {
  let bytes = sizes.get(definition)
  if (bytes === undefined) sizes.set(definition, (bytes = Buffer.byteLength(JSON.stringify(definition))))
  return { name, bytes }
}
