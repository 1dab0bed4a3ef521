// What the words of a table mean, below it. Pure.
import { wrap, type Appearance } from './appearance.ts'

/** One line or more for each word, in a terminal only: what a script reads stays as it is. */
export function explain(words: readonly (readonly [word: string, meaning: string])[], look: Appearance): string {
  if (!look.isTerminal || words.length === 0) return ''
  const column = Math.max(8, ...words.map(([word]) => word.length))
  const lines = words.map(
    ([word, meaning]) => `${look.paint.bold(word.padEnd(column))}  ${wrap(meaning, look.width, column + 2)}\n`,
  )
  return `\n${lines.join('')}`
}
