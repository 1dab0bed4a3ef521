// The catalog that lazy mode searches: every tool that the agent may call now, whoever answers it.

/** What is known of a server as a whole; the same for all its tools. */
export interface CatalogServer {
  name: string
  description?: string
  tags?: readonly string[]
  /** Sentences about when the server is useful. */
  useWhen?: readonly string[]
}

/** One tool of the catalog. Texts are the server's own and untrusted. */
export interface CatalogTool {
  server: CatalogServer
  /** The name as its server reports it. */
  wireName: string
  /** The name without a redundant server prefix. */
  shortName: string
  /** The name under which it is called directly. */
  publicName: string
  /** Further names that callers may use. */
  aliases: readonly string[]
  title: string
  description: string
  inputSchema: unknown
  annotations?: unknown
  /** When this very tool is useful. */
  useWhen: readonly string[]
  /** It answers only under its own name, never through `call_tool`. */
  isDirectCall: boolean
}

/** In ascending order of bytes: public names are ASCII, so comparing text does. */
export function byPublicName(a: { publicName: string }, b: { publicName: string }): number {
  return a.publicName < b.publicName ? -1 : a.publicName > b.publicName ? 1 : 0
}
