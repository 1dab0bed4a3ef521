// Reads a view of the server, and again when something that it shows has changed.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Part, Topic } from '../studio/views/words.ts'
import { getJson, type ToldError } from './api.ts'
import { ticks } from './live.ts'

/** What was read last; `error` where nothing could be. */
export interface ReadView<T> {
  view: Part<T> | undefined
  error: ToldError | undefined
  again(): void
}

/** `undefined` as path: nothing is read. */
export function useView<T>(path: string | undefined, topics: readonly Topic[]): ReadView<T> {
  const [state, setState] = useState<{ path?: string; view?: Part<T>; error?: ToldError }>({})
  const [more, setMore] = useState(0)
  const wanted = useRef<string | undefined>(undefined)
  const tick = ['all' as const, ...topics].reduce((sum, topic) => sum + (ticks.value[topic] ?? 0), 0)
  useEffect(() => {
    wanted.current = path
    if (path === undefined) return
    void getJson<Part<T>>(path).then((reply) => {
      if (wanted.current !== path) return
      setState(reply.ok ? { path, view: reply.value } : { path, error: reply.error })
    })
  }, [path, tick, more])
  // What belongs to another address is not shown under this one.
  const isOwn = state.path === path
  return {
    view: isOwn ? state.view : undefined,
    error: isOwn ? state.error : undefined,
    again: () => setMore((count) => count + 1),
  }
}
