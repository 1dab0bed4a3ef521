import { Secret } from '../redaction/secret.ts'

/** A shorter path is a word that a text may hold for other reasons. */
const leastPathLength = 8

/**
 * What would tell where a backend is, should its error text repeat it: host and port, and a path that is not just a
 * word. A bare host name is a word too.
 */
export function endpointTexts({ host, pathname }: URL): Secret[] {
  const path = pathname.replace(/\/$/, '')
  const told = [...(/[.:]/.test(host) ? [host] : []), ...(path.length >= leastPathLength ? [path] : [])]
  return told.map((text) => new Secret(text))
}
