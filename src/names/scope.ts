// Pure: what one agent may reach. An absent list allows everything, an empty one nothing.
import { meantBy, type ResolveTool } from './resolve.ts'

/** The two optional lists of an agent. */
export interface ScopeLists {
  servers?: readonly string[]
  /** Exact names of the form `server__tool`, and `server__*` for everything of a mounted server. */
  tools?: readonly string[]
}

/** Judges servers and tools. */
export interface Scope {
  allowsServer(server: string): boolean
  /** `tool` is the wire name, or whatever was asked for when the server has no such tool or is not connected. */
  allows(server: string, tool: string): boolean
  /** Whether the server's resources and prompts are in it: not where only some of its tools are. */
  allowsOffers(server: string): boolean
}

export function createScope({ servers, tools }: ScopeLists, resolve: ResolveTool): Scope {
  const allowsServer = (server: string) => servers === undefined || servers.includes(server)
  const isMeant = tools && meantBy(tools, resolve)
  const allowsOffers = (server: string) => allowsServer(server) && (tools?.includes(`${server}__*`) ?? true)
  return {
    allowsServer,
    allowsOffers,
    allows: (server, tool) => allowsOffers(server) || (allowsServer(server) && isMeant?.(server, tool) === true),
  }
}
