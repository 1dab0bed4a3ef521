// Pure: what one agent may reach (M 1.6). An absent list allows everything, an empty one nothing.
import { aliases } from './fragment.ts'

/** The two optional lists of an agent. */
export interface ScopeLists {
  servers?: readonly string[]
  /** Exact names of the form `server__tool`. */
  tools?: readonly string[]
}

/** Judges servers and tools. */
export interface Scope {
  allowsServer(server: string): boolean
  /** `tool` is a wire name or a fragment. */
  allows(server: string, tool: string): boolean
  /** A public name; without a separator, a server or a tool it is not allowed. */
  allowsName(name: string): boolean
}

export function createScope({ servers, tools }: ScopeLists): Scope {
  const allowsServer = (server: string) => servers === undefined || servers.includes(server)
  const allows = (server: string, tool: string) =>
    allowsServer(server) && (tools === undefined || aliases(server, tool).some((name) => tools.includes(name)))
  return {
    allowsServer,
    allows,
    allowsName: (name) => {
      const at = name.indexOf('__')
      return at > 0 && at + 2 < name.length && allows(name.slice(0, at), name.slice(at + 2))
    },
  }
}
