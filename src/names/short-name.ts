// Pure: how a tool of a mounted server is named in public, and what else it answers to.

/** The wire name without a redundant server prefix; at most one is removed, and something must remain. */
export function shortName(server: string, wireName: string): string {
  if (server === '' || wireName === '') return wireName
  for (const separator of ['_', '-']) {
    const prefix = server + separator
    if (wireName.startsWith(prefix) && wireName.length > prefix.length) return wireName.slice(prefix.length)
  }
  return wireName
}

/**
 * The short name of every wire name of one server, without collisions: a tool that really has a name always keeps it, and the
 * first in byte order gets a contested short name.
 */
export function planShortNames(server: string, wireNames: readonly string[]): Map<string, string> {
  const sorted = [...new Set(wireNames)].sort(byBytes)
  const owners = new Map(sorted.map((name) => [name, name]))
  const plan = new Map<string, string>()
  for (const name of sorted) {
    const wanted = shortName(server, name)
    const owner = owners.get(wanted)
    const isFree = wanted === name || owner === undefined || owner === name
    if (isFree && wanted !== name) {
      owners.delete(name)
      owners.set(wanted, name)
    }
    plan.set(name, isFree ? wanted : name)
  }
  return plan
}

/** The public name of a short name: `server__short_name`. */
export function publicName(server: string, part: string): string {
  return `${server}__${part}`
}

/** Every name under which a tool may be asked for, given by its wire name or its short name; the public one first. */
export function aliases(server: string, tool: string): string[] {
  const names = [publicName(server, shortName(server, tool)), publicName(server, tool)]
  if (!tool.startsWith(`${server}_`) && !tool.startsWith(`${server}-`)) {
    names.push(publicName(server, `${server}_${tool}`), publicName(server, `${server}-${tool}`))
  }
  return [...new Set(names)]
}

/**
 * Server and tool of a request that names both, or both in one: split at the first `__`. A name in one piece is that of `bare`, the
 * server whose names go out as they are, if there is one.
 */
export function splitName(server: string, tool: string, bare = ''): { server: string; tool: string } {
  if (server !== '') return { server, tool: tool.startsWith(`${server}__`) ? tool.slice(server.length + 2) : tool }
  const at = tool.indexOf('__')
  return at < 0 ? { server: bare, tool } : { server: tool.slice(0, at), tool: tool.slice(at + 2) }
}

/**
 * The wire name that a request means, or undefined: first by the short names that we advertise, then exactly, then with the server's
 * own prefix, so that every advertised name can be called, then without it, as in the names of earlier releases.
 */
export function findWireName(server: string, tool: string, plan: ReadonlyMap<string, string>): string | undefined {
  const names = [tool, `${server}_${tool}`, `${server}-${tool}`]
  return (
    names.find((name) => plan.get(name) === tool) ?? [...names, shortName(server, tool)].find((name) => plan.has(name))
  )
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
