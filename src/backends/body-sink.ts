/** Bodies up to this size are joined at the end; larger ones of a declared length are written in place. */
const joinedBytes = 64 * 1024

/** Collects a body of at most `maxBytes`. A large body of declared length is held once, not twice. */
export class BodySink {
  readonly #maxBytes: number
  readonly #whole: Buffer | undefined
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number, declaredLength: string | undefined) {
    this.#maxBytes = maxBytes
    const declared = Number(declaredLength)
    if (declaredLength === undefined || !Number.isSafeInteger(declared)) return
    if (declared > maxBytes) this.#bytes = declared
    else if (declared > joinedBytes) this.#whole = Buffer.allocUnsafeSlow(declared)
  }

  /** Whether the body is, or says that it will be, over the limit. */
  get isOver(): boolean {
    return this.#bytes > this.#maxBytes
  }

  write(chunk: Buffer): void {
    const at = this.#bytes
    this.#bytes += chunk.length
    if (this.isOver) this.#chunks = []
    else if (this.#whole) this.#whole.set(chunk, at)
    else this.#chunks.push(chunk)
  }

  /** The body, when it is complete. */
  take(): Buffer {
    if (this.#whole) return this.#whole
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
  }
}
