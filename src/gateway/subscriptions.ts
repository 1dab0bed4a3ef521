// Which resources of mounted servers the client watches, under which addresses of ours.
import { isPart, resourceAddress } from '../names/resource-address.ts'

/** A resource of a server, and the address that the client used for it. */
export interface Subscription {
  server: string
  uri: string
  address: string
}

/** The client's subscriptions. */
export interface Subscriptions {
  add(subscription: Subscription): void
  /** Says whether the client watches the resource under another address still. */
  remove(subscription: Subscription): boolean
  /**
   * Where the client expects to hear of this resource: nowhere when it watches neither the resource nor something that it is a part
   * of. A part has its ordinary address.
   */
  addressesOf(server: string, uri: string): string[]
}

/** `listedAs` gives the address under which a server's resource is listed. */
export function createSubscriptions(listedAs: (server: string, uri: string) => string): Subscriptions {
  /** By its ordinary address: a resource, and the addresses that the client used for it. */
  const watched = new Map<string, { server: string; uri: string; addresses: Set<string> }>()
  return {
    add({ server, uri, address }) {
      const key = resourceAddress(server, uri)
      const known = watched.get(key) ?? { server, uri, addresses: new Set() }
      known.addresses.add(address)
      watched.set(key, known)
    },
    remove({ server, uri, address }) {
      const key = resourceAddress(server, uri)
      const addresses = watched.get(key)?.addresses
      addresses?.delete(address)
      if (addresses?.size === 0) watched.delete(key)
      return watched.has(key)
    },
    addressesOf(server, uri) {
      const key = resourceAddress(server, uri)
      const exact = watched.get(key)
      if (exact !== undefined) return [...exact.addresses]
      const isWatched = [...watched.values()].some((whole) => whole.server === server && isPart(uri, whole.uri))
      return isWatched ? [listedAs(server, uri)] : []
    },
  }
}
