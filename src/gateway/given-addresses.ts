// Which server a client has an address from: servers name resources by addresses of their own in what they answer, and a client
// reads them back as it got them.
import { isObject, member } from '../json/read.ts'

/** So many addresses are remembered, the latest ones, none longer than this and so many of one answer. */
const mostAddresses = 4096
const longestAddress = 2048
const mostOfOneAnswer = 1000

/** Addresses by the server that gave them last. */
export class GivenAddresses {
  readonly #servers = new Map<string, string>()

  note(server: string, addresses: readonly string[]): void {
    for (const address of addresses) {
      this.#servers.delete(address)
      this.#servers.set(address, server)
    }
    for (const oldest of this.#servers.keys()) {
      if (this.#servers.size <= mostAddresses) break
      this.#servers.delete(oldest)
    }
  }

  serverOf(address: string): string | undefined {
    return this.#servers.get(address)
  }
}

/** The addresses in the answer to a tool call, a reading or a prompt. */
export function addressesIn(answer: object): string[] {
  const { content, contents, messages, _meta } = answer as Record<string, unknown>
  const blocks = [
    ...listOf(content),
    ...listOf(contents),
    ...listOf(messages).map((message) => member(message, 'content')),
  ]
  const found = blocks.flatMap((block) => [member(block, 'uri'), member(member(block, 'resource'), 'uri')])
  return [...new Set([...found.filter(isAddress), ...pagesIn(_meta)])].slice(0, mostOfOneAnswer)
}

/** The pages for people that a `_meta` names, itself or one level deeper: hosts look at several places. */
export function pagesIn(meta: unknown): string[] {
  if (!isObject(meta)) return []
  return Object.values(meta)
    .flatMap((value) => (isObject(value) ? Object.values(value) : [value]))
    .filter(isAddress)
    .filter((address) => address.startsWith('ui://'))
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longestAddress && value.includes(':')
