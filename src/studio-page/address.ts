// Where the page is: fragments, so that no filter reaches a log.
import { signal } from '@preact/signals'

export const pageNames = ['inbox', 'operations', 'money', 'results', 'usage', 'servers', 'health'] as const
export type PageName = (typeof pageNames)[number]

/** `#/operations/DIGITS?state=failed` in its parts. */
export interface PageAddress {
  page: PageName
  id: string | undefined
  query: string
}

function read(): PageAddress {
  const [, page = '', id, query = ''] = /^#\/([a-z]+)(?:\/([\w:-]+))?(?:\?(.*))?$/.exec(location.hash) ?? []
  return { page: pageNames.find((name) => name === page) ?? 'inbox', id, query }
}

export const address = signal<PageAddress>(read())
addEventListener('hashchange', () => void (address.value = read()))

/** Goes somewhere, as a link does. */
export function go(hash: string): void {
  location.hash = hash
}

/** The same without a step in the history. */
export function mark(hash: string): void {
  history.replaceState(history.state, '', hash)
  address.value = read()
}
