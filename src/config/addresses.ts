// Where something listens, and the names that mean this machine.

/** A host and a port; port 0 takes a free one. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** What is allowed as an address, in words. */
export const addressWords = 'HOST:PORT, such as 127.0.0.1:7420'

/** Reads `HOST:PORT`, an address of version 6 in brackets; undefined for anything else. */
export function parseListenAddress(text: string): Address | undefined {
  const [, six, plain, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? []
  const host = six ?? plain
  const port = Number(digits)
  return host === undefined || port > 65535 ? undefined : { host, port }
}

/** Only literal addresses and `localhost` are this machine; what another name means is for others to decide. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** `host:port` as it stands in a URL. */
export function writeAddress({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
