// The request log of a Hubu that runs as its own process: one JSON object a line. It never holds up a request; what
// nobody reads is dropped and counted.

/** One answered request. Neither query, headers nor bodies are logged. */
export interface LogEntry {
  at: string
  method: string
  path: string
  status: number
}

/** Where lines go; a stream of Node fits. */
export interface LogStream {
  write(text: string): unknown
  /** Bytes that wait because nobody reads them. */
  readonly writableLength?: number
  on?(event: 'error', listener: (error: Error) => void): unknown
}

/** More waiting than this is not added to. */
const mostWaitingBytes = 65_536

/** Writes entries to streams. A stream that breaks, or that nobody reads, is no reason to fail. */
export function requestLog(streams: readonly LogStream[]): (entry: LogEntry) => void {
  const sinks = streams.map((stream) => {
    const sink = { stream, dropped: 0, broken: false }
    stream.on?.('error', () => {
      sink.broken = true
    })
    return sink
  })
  return (entry) => {
    for (const sink of sinks) {
      if (sink.broken) continue
      if ((sink.stream.writableLength ?? 0) > mostWaitingBytes) sink.dropped += 1
      else {
        const dropped = sink.dropped === 0 ? {} : { dropped_lines: sink.dropped }
        sink.dropped = 0
        sink.stream.write(`${JSON.stringify({ ...entry, path: entry.path.slice(0, 200), ...dropped })}\n`)
      }
    }
  }
}
