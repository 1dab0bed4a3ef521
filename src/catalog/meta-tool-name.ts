import { metaToolDefinitions, type MetaToolName } from '#generated/meta-tools.js'

/** The words that may stand before a meta-tool's name: the product's, and the one of the seeds. */
const words = ['hubu-unified-mcp', 'mcphub']

const names = new Map<string, MetaToolName>(metaToolDefinitions.map(({ name }) => [name, name]))

/** The meta-tool that a name means: `get_result`, `mcphub_get_result`, `mcphub__get_result`, `mcphub__mcphub_get_result`. */
export function metaToolName(name: string): MetaToolName | undefined {
  return candidates(name)
    .map((candidate) => names.get(candidate))
    .find((found) => found !== undefined)
}

function candidates(name: string): string[] {
  const found = [name]
  for (const word of words) {
    if (name.startsWith(`${word}__`)) {
      const rest = name.slice(word.length + 2)
      found.push(rest)
      if (rest.startsWith(`${word}_`)) found.push(rest.slice(word.length + 1))
    } else if (name.startsWith(`${word}_`)) found.push(name.slice(word.length + 1))
  }
  return found
}
