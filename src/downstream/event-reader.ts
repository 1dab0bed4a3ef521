import type { Transformer, TransformStreamDefaultController } from 'node:stream/web'

/**
 * Passes a stream of server-sent events on as it is, and gives the data of each event as soon as the event is complete: lines
 * end in LF, CRLF or CR, and several `data` lines are one text.
 */
export class EventReader implements Transformer<Uint8Array, Uint8Array> {
  readonly #decoder = new TextDecoder()
  readonly #note: (data: string) => void
  #line: string[] = []
  #data: string[] = []
  #endsInCr = false

  constructor(note: (data: string) => void) {
    this.#note = note
  }

  transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
    this.#read(this.#decoder.decode(chunk, { stream: true }))
    controller.enqueue(chunk)
  }

  #read(text: string): void {
    let start = 0
    for (const match of text.matchAll(/\r\n|\n|\r/g)) {
      const isSecondHalf = match.index === 0 && match[0] === '\n' && this.#endsInCr
      if (!isSecondHalf) this.#endLine(text.slice(start, match.index))
      start = match.index + match[0].length
    }
    if (text !== '') this.#endsInCr = text.endsWith('\r')
    if (start < text.length) this.#line.push(text.slice(start))
  }

  #endLine(rest: string): void {
    const line = this.#line.length === 0 ? rest : this.#line.join('') + rest
    this.#line = []
    if (line === '') {
      if (this.#data.length > 0) this.#note(this.#data.join('\n'))
      this.#data = []
    } else if (line.startsWith('data:')) this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
  }
}
