// A difference as a person on a terminal likes to read it. Pure.
import { type Appearance } from '../../terminal/appearance.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'

/** So many rules in a row are shown as they are. */
const fewLines = 3

/**
 * Colours a difference. On a terminal the rules of many tools become one line that counts them, when the lists are given; the
 * same text for a script.
 */
export function showDifference(text: string, { isTerminal, paint }: Appearance, lists?: ApprovalLists): string {
  const lines = text.split('\n')
  const folded = isTerminal && lists !== undefined ? fold(lines, lists) : lines
  return folded
    .map((line) => {
      if (/^(?:---|\+\+\+) /.test(line)) return paint.bold(line)
      if (line.startsWith('+')) return paint.green(line)
      if (line.startsWith('-')) return paint.red(line)
      return line.startsWith('@@') ? paint.cyan(line) : line
    })
    .join('\n')
}

/** Runs of added or removed lines, or whole long lines, that are about single tools. */
function fold(lines: readonly string[], lists: ApprovalLists): string[] {
  const folded: string[] = []
  let run: string[] = []
  const close = (): void => {
    const isLong = run.length > fewLines || run.some((line) => toolsIn(line, lists) > fewLines)
    folded.push(...(isLong ? [count(run, lists)] : run))
    run = []
  }
  for (const line of lines) {
    const isRule = /^[+-]/.test(line) && toolsIn(line, lists) > 0
    if (!isRule || (run.length > 0 && run[0]![0] !== line[0])) close()
    if (isRule) run.push(line)
    else folded.push(line)
  }
  close()
  return folded
}

function count(run: readonly string[], { auto, ask }: ApprovalLists): string {
  const found = (names: readonly string[]) => names.filter((name) => run.some((line) => mentions(line, name))).length
  const parts = [`${found(auto)} allow`, `${found(ask)} ask`].filter((part) => !part.startsWith('0 '))
  return `${run[0]![0]}  … ${parts.join(', ')} (--full shows them)`
}

function toolsIn(line: string, { auto, ask }: ApprovalLists): number {
  return [...auto, ...ask].filter((name) => mentions(line, name)).length
}

/** The name as a word, also behind the prefixes that clients put before it. */
function mentions(line: string, name: string): boolean {
  const at = line.indexOf(name)
  return at >= 0 && !/[a-z0-9]/.test(line[at - 1] ?? '') && !/[a-z0-9_]/.test(line[at + name.length] ?? '')
}
