// Reads one request from a connection. Whoever calls owns the socket's life.
import type { Socket } from 'node:net'
import { parseHead, type RequestHead } from './head.ts'

/** How much a request may take. */
export interface ReceiveLimits {
  /** Bytes of the head, its blank line included. */
  maxHeadBytes: number
  /** Bytes of the body, as declared. */
  maxBodyBytes: number
  /** Time for the whole request, counted from the call. */
  readTimeoutMs: number
}

/** What the peer sent. `rest` is what followed the request on the same connection. */
export type Received =
  | { kind: 'request'; head: RequestHead; body: Buffer; rest: Buffer }
  | { kind: 'body-too-large'; head: RequestHead }
  | { kind: 'malformed'; reason: string }
  /** The deadline passed, or the peer ended or broke the connection within a request or before one. */
  | { kind: 'gone' }

type Outcome = Received | undefined

/** Reads one whole request, or says why there is none. Bytes already at hand go in as `pending`. Never rejects. */
export function receive(socket: Socket, pending: Buffer, limits: ReceiveLimits): Promise<Received> {
  return new Promise((resolve) => {
    let chunks = [pending]
    let head: RequestHead | undefined
    let bytes = pending.length
    const timer = setTimeout(() => finish({ kind: 'gone' }), limits.readTimeoutMs)
    const onGone = () => finish({ kind: 'gone' })
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      advance()
    }
    const finish = (received: Received) => {
      clearTimeout(timer)
      socket.pause()
      socket.off('data', onData).off('end', onGone).off('close', onGone)
      resolve(received)
    }
    const advance = () => {
      const outcome = head === undefined ? readHead() : readBody(head)
      if (outcome !== undefined) finish(outcome)
    }
    const readHead = (): Outcome => {
      const all = Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      if ((end < 0 ? all.length : end + 4) > limits.maxHeadBytes)
        return { kind: 'malformed', reason: 'the request head is too large' }
      chunks = [all]
      if (end < 0) return undefined
      const parsed = parseHead(all.subarray(0, end))
      if (parsed.kind === 'malformed') return parsed
      if (parsed.head.contentLength > limits.maxBodyBytes) return { kind: 'body-too-large', head: parsed.head }
      head = parsed.head
      chunks = [all.subarray(end + 4)]
      bytes = all.length - end - 4
      return readBody(head)
    }
    const readBody = (current: RequestHead): Outcome => {
      if (bytes < current.contentLength) return undefined
      const all = Buffer.concat(chunks)
      const { contentLength } = current
      return { kind: 'request', head: current, body: all.subarray(0, contentLength), rest: all.subarray(contentLength) }
    }
    socket.on('data', onData).on('end', onGone).on('close', onGone)
    if (socket.readableEnded || socket.destroyed) return finish({ kind: 'gone' })
    if (pending.length > 0) advance()
    socket.resume()
  })
}
