// What the index is built from: one tool as a gateway knows it, and what is known of its server.

/** What a configured or built-in server says about itself; the same for all its tools. */
export interface ServerHints {
  name: string
  description?: string
  tags?: readonly string[]
  /** Sentences about when the whole server is useful. */
  useWhen?: readonly string[]
}

/** One tool to be found. Its texts are untrusted and may be of any length; only their beginnings are read. */
export interface ToolDocument {
  /** Unique in the catalog, for instance `server/wire name`. */
  id: string
  server: ServerHints
  /** The name as its server reports it. */
  wireName: string
  /** The name without a redundant server prefix. */
  shortName: string
  /** The name under which the tool is offered; orders equals. */
  publicName: string
  /** Further names that callers may use, such as `server__wire_name`. */
  aliases?: readonly string[]
  title?: string
  description?: string
  inputSchema?: unknown
  /** What people say when they need this tool. */
  useWhen?: readonly string[]
}
