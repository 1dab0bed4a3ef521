// How a text may look where it is read. Pure: what is known of the terminal is given.

/** Texts in the few colours that help; each gives its text as it is where no colour is wanted. */
export interface Paint {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

/** Where a text is read. */
export interface Appearance {
  paint: Paint
  /** A person reads it there: it may be folded, headed and explained. What a script reads stays as it is. */
  isTerminal: boolean
  /** Columns. */
  width: number
}

const same = (text: string): string => text

/** A file or a pipe. */
export const plainAppearance: Appearance = {
  paint: { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same },
  isTerminal: false,
  width: Infinity,
}

/** Whether colour is wanted: never with NO_COLOR, always with FORCE_COLOR, else on a terminal that can show it. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTerminal && env['TERM'] !== 'dumb'
}

/** A text in lines of a width, broken between words; every line but the first begins with so many spaces. */
export function wrap(text: string, width: number, indent: number): string {
  const room = Math.max(20, width - indent)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}
