/** More letters are never forgiven. */
const mostEdits = 3

/** The name that was most likely meant: at most a third of its letters differ, and never more than three; case does not count. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase()
  let best: string | undefined
  let fewest = mostEdits + 1
  for (const candidate of known) {
    const edits = editsBetween(given, candidate.toLowerCase())
    if (edits < fewest && edits * 3 <= candidate.length) {
      best = candidate
      fewest = edits
    }
  }
  return best
}

/** Letters added, left out, changed or swapped with their neighbour. Names that differ much, and long ones, are wholly different. */
function editsBetween(given: string, known: string): number {
  if (Math.abs(given.length - known.length) > mostEdits || given.length > 64) return Number.POSITIVE_INFINITY
  let same = 0
  while (same < given.length && given[same] === known[same]) same++
  const [from, to] = [given.slice(same), known.slice(same)]
  let older: number[] = []
  let old = Array.from({ length: to.length + 1 }, (_, index) => index)
  let isFar = false
  for (let row = 1; row <= from.length; row++) {
    const now = [row]
    let least = row
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwapped ? older[column - 2]! + 1 : Number.POSITIVE_INFINITY
      const edits = Math.min(old[column]! + 1, now[column - 1]! + 1, old[column - 1]! + (isSame ? 0 : 1), swapped)
      now[column] = edits
      if (edits < least) least = edits
    }
    // A swap looks two rows back; beyond that nothing can come closer again.
    if (isFar && least > mostEdits) return Number.POSITIVE_INFINITY
    isFar = least > mostEdits
    older = old
    old = now
  }
  return old[to.length]!
}
