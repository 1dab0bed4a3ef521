// Seeded randomness: one independent stream for each name, so that turning one part of a plan off shifts no other part.

/** A stream of pseudo-random choices. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number from 0 to `count - 1`. */
  below(count: number): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** 32 lowercase hex digits. */
  hex(): string
}

/** The stream that belongs to a text (sfc32 over a hash of it). */
export function createRandom(text: string): Random {
  let [a, b, c, d] = hash(text)
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 12; i++) next()
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    hex: () => Array.from({ length: 32 }, () => below(16).toString(16)).join(''),
  }
}

/** Four words of a text (FNV-1a with four offsets). */
function hash(text: string): [number, number, number, number] {
  const word = (offset: number) => {
    let value = offset
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619)
    return value | 0
  }
  return [word(2166136261), word(0x1234567), word(0x89abcde), word(0x2f3e4d5)]
}
