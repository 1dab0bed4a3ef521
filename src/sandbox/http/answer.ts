// Pure: an answer in, the bytes of its head and body out.
import { STATUS_CODES } from 'node:http'

/** What a server answers, and how its delivery fails if a fault is asked for. */
export interface HttpAnswer {
  status: number
  /** `Content-Type` defaults to `application/json`; `Content-Length` and `Connection` are set here. */
  headers?: Record<string, string>
  body?: string | Buffer
  /** Fault: close the connection before the answer, or after half of its body. */
  drop?: 'before-answer' | 'mid-body'
  /** Fault: wait before answering. */
  delayMs?: number
}

/** Renders head and body apart, with an explicit length and connection choice. */
export function renderAnswer(answer: HttpAnswer, keepAlive: boolean): { head: Buffer; body: Buffer } {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? Buffer.alloc(0))
  const given = Object.entries(answer.headers ?? {})
  const typed = given.some(([name]) => name.toLowerCase() === 'content-type')
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Unknown'}`,
    ...(typed ? [] : ['Content-Type: application/json']),
    ...given.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    `Connection: ${keepAlive ? 'keep-alive' : 'close'}`,
  ]
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body }
}
