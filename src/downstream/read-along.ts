// Reads what somebody else is sent, within the limits of an answer.

/** One answer, all events of its stream together, or one event of any stream may be this long, as a line of a local server may. */
const answerLimitBytes = 256 * 1024 * 1024

/** Takes what comes, and says how many bytes count against the limit. */
export interface AlongReader {
  push(chunk: Uint8Array): number
  end(): void
}

/** What is told of a body, and what slows it down. */
export interface AlongEvents {
  /** The source has ended or broken. */
  onEnd(): void
  /** Nobody reads on. */
  onCancel(): void
  /** It was longer than an answer may be; nothing more of it is read. */
  onTooLong(): void
  /** Waits, after each piece, as long as nothing more should come. */
  rest(bytes: number): Promise<void> | undefined
}

/** The same body, read along. */
export function readAlong(
  body: ReadableStream<Uint8Array>,
  reader: AlongReader,
  { onEnd, onCancel, onTooLong, rest }: AlongEvents,
): ReadableStream<Uint8Array> {
  const source = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.read()
        if (!done) {
          if (reader.push(value) > answerLimitBytes) throw new RangeError('an answer is too long')
          controller.enqueue(value)
          return await rest(value.length)
        }
        reader.end()
        controller.close()
      } catch (error) {
        controller.error(error)
        if (error instanceof RangeError) {
          onTooLong()
          void source.cancel().catch(() => {})
        }
      }
      onEnd()
    },
    cancel(reason) {
      onCancel()
      return source.cancel(reason)
    },
  })
}

/** Gives the text of a whole body at its end. */
export class WholeReader implements AlongReader {
  readonly #decoder = new TextDecoder()
  readonly #note: (text: string) => void
  #parts: string[] = []
  #bytes = 0

  constructor(note: (text: string) => void) {
    this.#note = note
  }

  push(chunk: Uint8Array): number {
    this.#parts.push(this.#decoder.decode(chunk, { stream: true }))
    return (this.#bytes += chunk.length)
  }

  end(): void {
    this.#note(this.#parts.join('') + this.#decoder.decode())
    this.#parts = []
  }
}

/** Counts all that another reader gets. */
export class SummedReader implements AlongReader {
  readonly #inner: AlongReader
  #bytes = 0

  constructor(inner: AlongReader) {
    this.#inner = inner
  }

  push(chunk: Uint8Array): number {
    this.#inner.push(chunk)
    return (this.#bytes += chunk.length)
  }

  end(): void {
    this.#inner.end()
  }
}

/** The same response with another body; a new one would lose its address. */
export function withBody(response: Response, body: ReadableStream | null): Response {
  const replaced = new Response(body, response)
  Object.defineProperty(replaced, 'url', { value: response.url })
  return replaced
}
