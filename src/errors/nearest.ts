/** The name that was most likely meant: at most a third of its letters differ, and never more than three; case does not count. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let fewest = 4
  for (const candidate of known) {
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase())
    if (edits < fewest && edits * 3 <= candidate.length) {
      best = candidate
      fewest = edits
    }
  }
  return best
}

/** Letters added, left out, changed or swapped with their neighbour. Long names count as wholly different. */
function editsBetween(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 3 || from.length > 64) return Number.POSITIVE_INFINITY
  let older: number[] = []
  let old = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const now = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwapped ? older[column - 2]! + 1 : Number.POSITIVE_INFINITY
      now[column] = Math.min(old[column]! + 1, now[column - 1]! + 1, old[column - 1]! + (isSame ? 0 : 1), swapped)
    }
    older = old
    old = now
  }
  return old[to.length]!
}
