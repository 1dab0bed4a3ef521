// Pure: one text that changes whenever the catalog does.
import { createHash } from 'node:crypto'
import { argumentTemplate } from './argument-template.ts'
import { byPublicName, type CatalogTool } from './catalog-tool.ts'

/** `catalog-v1-` and 24 hex digits; independent of the order in which servers connected. */
export function catalogRevision(tools: readonly CatalogTool[]): string {
  const hash = createHash('sha256')
  const add = (text: string) => hash.update(text).update('\0')
  for (const tool of [...tools].sort(byPublicName)) {
    const { server } = tool
    add(tool.publicName)
    add(tool.title)
    add(tool.description)
    add(server.description ?? '')
    for (const text of [...(server.tags ?? []), ...(server.useWhen ?? []), ...tool.useWhen]) add(text)
    for (const name of inputFields(tool)) add(name)
  }
  return `catalog-v1-${hash.digest('hex').slice(0, 24)}`
}

/** The names of a tool's arguments, sorted by bytes. */
function inputFields({ inputSchema }: CatalogTool): string[] {
  const names = Object.keys(argumentTemplate(inputSchema).template)
  return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}
