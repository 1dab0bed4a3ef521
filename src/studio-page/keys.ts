// What keys do.
import { signal } from '@preact/signals'
import { access } from './api.ts'
import { address, go, type PageName } from './address.ts'
import { openReview, review } from './review-state.ts'
import { mayDecide, selected, step } from './selection.ts'
import { turnTheme } from './theme.ts'

export const isHelpShown = signal(false)
const pageOf: Record<string, PageName> = {
  ...{ i: 'inbox', o: 'operations', m: 'money', r: 'results', u: 'usage', s: 'servers', h: 'health' },
}
let isGoing = false

/** Every key and what it does, for the help. */
export const keyList: [keys: string, what: string][] = [
  ['j k', 'next, previous item'],
  ['a d', 'approve, deny: opens the review'],
  ['Escape', 'close'],
  ['g then i o m r u s h', 'go to a page'],
  ['/', 'the filter field'],
  ['t', 'light or dark'],
  ['?', 'this help'],
]

export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || access.value !== 'open') return
    if ((event.target as HTMLElement).matches?.('input, select, textarea')) return
    if (isHelpShown.value && event.key === 'Escape') return void (isHelpShown.value = false)
    if (review.value !== undefined || isHelpShown.value) return
    if (press(event.key)) event.preventDefault()
  })
}

function press(key: string): boolean {
  if (isGoing) {
    isGoing = false
    const page = pageOf[key]
    if (page !== undefined) go(`#/${page}`)
    return page !== undefined
  }
  const isInbox = address.value.page === 'inbox'
  switch (key) {
    case 'g':
      isGoing = true
      setTimeout(() => (isGoing = false), 1500)
      return true
    case '?':
      return (isHelpShown.value = true)
    case 't':
      turnTheme()
      return true
    case '/':
      document.querySelector<HTMLElement>('[data-testid="filter"]')?.focus()
      return true
    case 'j':
    case 'ArrowDown':
    case 'k':
    case 'ArrowUp':
      if (isInbox) step(key === 'j' || key === 'ArrowDown' ? 1 : -1)
      return isInbox
    case 'a':
    case 'd':
      if (!isInbox || selected.value === undefined || !mayDecide.value) return false
      openReview(selected.value, key === 'a' ? 'approve' : 'deny')
      return true
    default:
      return false
  }
}
