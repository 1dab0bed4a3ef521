// What the page knows of its session, and how it asks.
import { signal } from '@preact/signals'

/** Whether anything may be shown. */
export const access = signal<'starting' | 'locked' | 'open'>('starting')
/** Why the lock is shown, where there is more to say than that it is locked. */
export const lockReason = signal('')

/** In this page's memory only. */
let token: string | undefined

export const heldToken = (): string | undefined => token

export function holdToken(given: string): void {
  token = given
  access.value = 'open'
}

/** Forgets what it may show, and shows the lock. */
export function lock(reason = ''): void {
  token = undefined
  lockReason.value = reason
  access.value = 'locked'
}

/** An error that the server told. */
export interface ToldError {
  code: string
  message: string
}

/** What came of a question. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: ToldError }

const away: ToldError = { code: 'away', message: 'The studio does not answer. It may have been stopped.' }

async function ask<T>(path: string, init: RequestInit): Promise<Reply<T>> {
  try {
    const headers = { ...(init.headers as Record<string, string>), ...(token && { 'X-Studio-Token': token }) }
    const response = await fetch(path, { ...init, headers, credentials: 'same-origin', cache: 'no-store' })
    if (response.status === 401 && path !== '/api/session') lock('This session has ended.')
    if (response.status === 204) return { ok: true, value: undefined as T }
    const value = (await response.json()) as T & { error?: ToldError }
    return response.ok ? { ok: true, value } : { ok: false, error: value.error ?? away }
  } catch {
    return { ok: false, error: away }
  }
}

export const getJson = <T>(path: string): Promise<Reply<T>> => ask<T>(path, {})

export const postJson = <T>(path: string, body: object): Promise<Reply<T>> =>
  ask<T>(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

/** Bytes, for a file to keep or a picture to show. */
export async function getBytes(path: string): Promise<ArrayBuffer | undefined> {
  const response = await fetch(path, { headers: { 'X-Studio-Token': token ?? '' }, credentials: 'same-origin' })
  return response.ok ? response.arrayBuffer() : undefined
}

/** Saves what an address gives as a file. */
export async function save(path: string, name: string): Promise<void> {
  const bytes = await getBytes(path)
  if (bytes === undefined) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
