// A sign of life for a person who waits: on stderr, only in a terminal, gone when the work is done.
import type { Clock } from '../timing/clock.ts'

/** What is being done. */
export interface SignOfLife {
  /** Says it; nothing is shown of what takes less than a moment. */
  say(text: string): void
  /** Takes the line away. */
  end(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const momentMs = 500
const frameMs = 100

/** Shows what is said after a moment, in one line that is written again and again; nothing where nobody watches. */
export function createSignOfLife(
  stream: { write(text: string): unknown },
  { isTerminal, width, clock }: { isTerminal: boolean; width: number; clock: Pick<Clock, 'after' | 'every'> },
): SignOfLife {
  if (!isTerminal) return { say: () => {}, end: () => {} }
  let text = ''
  let frame = 0
  let isShown = false
  let stop: (() => void) | undefined
  const draw = (): void => {
    isShown = true
    stream.write(`\r\u001b[K${frames[frame++ % frames.length]} ${[...text].slice(0, width - 3).join('')}`)
  }
  return {
    say(said) {
      text = said
      stop ??= clock.after(momentMs, () => {
        draw()
        stop = clock.every(frameMs, draw)
      })
    },
    end() {
      stop?.()
      stop = undefined
      if (isShown) stream.write('\r\u001b[K')
      isShown = false
    },
  }
}
