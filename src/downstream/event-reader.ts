/** Gives the data of each server-sent event as soon as it is complete: lines end in LF, CRLF or CR, several `data` lines are one text. */
export class EventReader {
  readonly #decoder = new TextDecoder()
  readonly #note: (data: string) => void
  #line: string[] = []
  #data: string[] = []
  #endsInCr = false
  #held = 0
  #hasIds = false

  constructor(note: (data: string) => void) {
    this.#note = note
  }

  /** Whether the stream can be resumed where it was cut: some event had an id. */
  get isResumable(): boolean {
    return this.#hasIds
  }

  /** Gives the bytes that are held for an event that is not complete. */
  push(chunk: Uint8Array): number {
    this.#held += chunk.length
    const text = this.#decoder.decode(chunk, { stream: true })
    let start = 0
    for (const match of text.matchAll(/\r\n|\n|\r/g)) {
      const isSecondHalf = match.index === 0 && match[0] === '\n' && this.#endsInCr
      if (!isSecondHalf) this.#endLine(text.slice(start, match.index))
      start = match.index + match[0].length
    }
    if (text !== '') this.#endsInCr = text.endsWith('\r')
    if (start < text.length) this.#line.push(text.slice(start))
    return this.#held
  }

  /** What is incomplete is no event. */
  end(): void {
    this.#line = []
    this.#data = []
  }

  #endLine(rest: string): void {
    const line = this.#line.length === 0 ? rest : this.#line.join('') + rest
    this.#line = []
    if (line === '') {
      if (this.#data.length > 0) this.#note(this.#data.join('\n'))
      this.#data = []
      this.#held = 0
    } else if (line.startsWith('data:')) this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
    else if (/^id: ?[^ ]/.test(line)) this.#hasIds = true
  }
}
