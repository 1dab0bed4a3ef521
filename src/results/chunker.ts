/** How many bytes of a result lie in one row: a page of it reads one or two rows, wherever its cursor is. */
export const chunkBytes = 32 * 1024

/** Cuts pieces of text into chunks of UTF-8, all of exactly `chunkBytes` but the last. */
export class Chunker {
  #full: Uint8Array[] = []
  #current = new Uint8Array(chunkBytes)
  #used = 0

  /** How many whole chunks can be taken. */
  get ready(): number {
    return this.#full.length
  }

  /** Adds a piece that is not cut inside a surrogate pair. */
  add(piece: string): void {
    const bytes = Buffer.from(piece)
    let at = 0
    while (at < bytes.length) {
      const part = bytes.subarray(at, at + chunkBytes - this.#used)
      this.#current.set(part, this.#used)
      this.#used += part.length
      at += part.length
      if (this.#used < chunkBytes) return
      this.#full.push(this.#current)
      this.#current = new Uint8Array(chunkBytes)
      this.#used = 0
    }
  }

  /** The whole chunks so far. */
  take(): readonly Uint8Array[] {
    return this.#full.splice(0)
  }

  /** What is left, the last chunk included when it holds anything. */
  finish(): readonly Uint8Array[] {
    const rest = this.#used === 0 ? [] : [this.#current.subarray(0, this.#used)]
    return [...this.take(), ...rest]
  }
}
