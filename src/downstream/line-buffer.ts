/** A line of a mounted server may be this long, in bytes. */
const lineLimitBytes = 256 * 1024 * 1024
/** So much memory is kept for the next unfinished line; what is more is given back with each line. */
const keptBytes = 1024 * 1024

/**
 * Cuts what a child writes into lines. What is unfinished exists once, in memory that grows where it is and is given back at
 * once, not when the garbage is collected.
 */
export class LineBuffer {
  #memory: ArrayBuffer | undefined
  #length = 0

  /** Gives the lines that are complete now. Throws RangeError when one is too long. */
  push(chunk: Buffer): string[] {
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const rest = chunk.subarray(start, end)
      start = end + 1
      lines.push(this.#length === 0 ? rest.toString('utf8') : this.#finish(rest))
    }
    if (start < chunk.length) this.#add(chunk.subarray(start))
    return lines
  }

  #add(bytes: Buffer): ArrayBuffer {
    const length = this.#length + bytes.length
    const memory = (this.#memory ??= new ArrayBuffer(0, { maxByteLength: lineLimitBytes }))
    if (length > memory.byteLength) memory.resize(Math.max(length, Math.min(memory.byteLength * 2, lineLimitBytes)))
    new Uint8Array(memory).set(bytes, this.#length)
    this.#length = length
    return memory
  }

  #finish(rest: Buffer): string {
    const memory = this.#add(rest)
    const line = Buffer.from(memory, 0, this.#length).toString('utf8')
    this.#length = 0
    if (memory.byteLength > keptBytes) memory.resize(keptBytes)
    return line
  }
}
