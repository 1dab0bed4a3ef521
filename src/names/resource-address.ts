// Addresses of mounted servers' resources. Pure.

/** Every address of ours begins so. */
export const addressScheme = 'mcphub://'

/** The address of a server's resource: both names escaped as path segments. */
export function resourceAddress(server: string, uri: string): string {
  return `${addressScheme}${encodeURIComponent(server)}/${encodeURIComponent(uri.toWellFormed())}`
}

/**
 * The template of a server's resource template. It stands behind two slashes as the server wrote it: escaped, it could not be
 * filled in, and what a client fills in must reach the server as it is.
 */
export function templateAddress(server: string, uriTemplate: string): string {
  return `${addressScheme}${encodeURIComponent(server)}//${uriTemplate}`
}

/** The server and its own uri, or template, behind an address of either form; undefined for anything else. */
export function parseAddress(address: string): { server: string; uri: string } | undefined {
  const [, server, rest] = /^mcphub:\/\/([^/]+)\/(.+)$/su.exec(address) ?? []
  if (server === undefined || rest === undefined) return undefined
  try {
    const name = decodeURIComponent(server)
    if (rest.startsWith('/')) return rest === '/' ? undefined : { server: name, uri: rest.slice(1) }
    return rest.includes('/') ? undefined : { server: name, uri: decodeURIComponent(rest) }
  } catch {
    return undefined
  }
}

/** Whether an address goes on where the other one ends, at a border: `a/b` is a part of `a`, and `ab` is not. */
export function isPart(uri: string, whole: string): boolean {
  return uri.startsWith(whole) && (whole.endsWith('/') || '/?#'.includes(uri.charAt(whole.length)))
}
