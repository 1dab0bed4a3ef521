// Pure: which tool a name in a scope or a pin means. Two tools of one server may share an alias, but never a name that is resolved
// (M 1.2, W29).

/** The wire name that a server's tool has, given any accepted form of it; undefined while nobody knows it. */
export type ResolveTool = (server: string, tool: string) => string | undefined

/**
 * Whether a rule `server__tool` means this very tool, given by its wire name. Where it cannot be resolved it must be spelled
 * exactly as the tool is.
 */
export function means(rule: string, server: string, wireName: string, resolve: ResolveTool): boolean {
  const prefix = `${server}__`
  if (!rule.startsWith(prefix)) return false
  const tool = rule.slice(prefix.length)
  return (resolve(server, tool) ?? tool) === wireName
}
