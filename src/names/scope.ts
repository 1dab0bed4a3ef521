// Pure: what one agent may reach. An absent list allows everything, an empty one nothing.
import { meantBy, type ResolveTool } from './resolve.ts'

/** The two optional lists of an agent. */
export interface ScopeLists {
  servers?: readonly string[]
  /** Exact names of the form `server__tool`. */
  tools?: readonly string[]
}

/** Judges servers and tools. */
export interface Scope {
  allowsServer(server: string): boolean
  /** `tool` is the wire name, or whatever was asked for when the server has no such tool or is not connected. */
  allows(server: string, tool: string): boolean
}

export function createScope({ servers, tools }: ScopeLists, resolve: ResolveTool): Scope {
  const allowsServer = (server: string) => servers === undefined || servers.includes(server)
  const isMeant = tools && meantBy(tools, resolve)
  return {
    allowsServer,
    allows: (server, tool) => allowsServer(server) && (isMeant?.(server, tool) ?? true),
  }
}
