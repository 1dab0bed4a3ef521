// Pure: which tool a name in a scope or a pin means. Two tools of one server may share an alias, but never a name that is
// resolved.
import { aliases } from './short-name.ts'

/** The wire name that a server's tool has, given any accepted form of it; undefined while nobody knows it. */
export type ResolveTool = (server: string, tool: string) => string | undefined

/** Public names that had to be shortened end in a digest and are no alias of their tool. */
const shortened = /_[0-9a-f]{8}$/

/**
 * Whether one of these names `server__tool` means a tool, given by its wire name. A name that cannot be resolved must be spelled
 * exactly as the tool is.
 */
export function meantBy(names: readonly string[], resolve: ResolveTool): (server: string, wireName: string) => boolean {
  const [given, digests] = [new Set(names), names.filter((name) => shortened.test(name))]
  return (server, wireName) => {
    const prefix = `${server}__`
    const means = (name: string): boolean => {
      const tool = name.slice(prefix.length)
      return name.startsWith(prefix) && (resolve(server, tool) ?? tool) === wireName
    }
    return aliases(server, wireName).some((name) => given.has(name) && means(name)) || digests.some(means)
  }
}
