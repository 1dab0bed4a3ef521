/** A text as one word of bash or zsh, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A text as one word of fish, whatever is in it. */
export function quotedForFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}

/** Words as one list that a shell reads again, and expands, when it completes. */
export function listOf(words: readonly string[], quote: (text: string) => string): string {
  return words.map((word) => (/^[\w.:@%+/-]+$/.test(word) ? word : quote(word))).join(' ')
}

/** A pattern of a shell's `case` that these words match; nothing matches it when there are none. */
export function anyOf(words: readonly string[]): string {
  return words.length === 0 ? "''" : words.map(quoted).join(' | ')
}
