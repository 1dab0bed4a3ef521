// Which item is chosen, and what may be done with it.
import { computed, signal } from '@preact/signals'
import type { InboxItem } from '../studio/views/shown.ts'
import { address, mark } from './address.ts'

/** The chosen request. */
export const selected = signal<string | undefined>(undefined)
/** The list that is shown, in its order. */
export const listed = signal<readonly InboxItem[]>([])
/** How many wait. */
export const waitingCount = signal(0)
/** Whether this studio has what decides. */
export const mayDecide = signal(false)

export const addressed = computed(() => (address.value.page === 'inbox' ? address.value.id : undefined))

/** Takes note of a list. `undefined`: it is not the one that waits. */
export function rememberWaiting(items: readonly InboxItem[] | undefined): void {
  if (items === undefined) return
  listed.value = items
}

/** The next or previous item of the list. */
export function step(by: 1 | -1): void {
  const at = listed.value.findIndex((item) => item.id === selected.value)
  const next = at < 0 ? 0 : Math.min(listed.value.length - 1, Math.max(0, at + by))
  const id = listed.value[next]?.id
  if (id === undefined) return
  selected.value = id
  mark(`#/inbox/${id}`)
  document.querySelector<HTMLElement>(`[data-testid="inbox-item"][data-id="${id}"]`)?.focus()
}
