// One HTTP call to Hubu: one connection, no redirects, no retries.
import { request, type IncomingMessage } from 'node:http'

/** What came back, or that nothing usable did. Never rejects. */
export type HubuReply = { kind: 'answered'; status: number; json: unknown } | { kind: 'lost' }

/** Where and how to call. */
export interface HubuEndpoint {
  /** `http://host[:port]`, without a trailing slash. */
  baseUrl: string
  token: string
  /** How long the peer may be silent. */
  silenceMs: number
}

const longestAnswerBytes = 1_048_576
/** However lively the peer is, a call ends before the step's own limit of 300 s. */
const wholeCallMs = 120_000

/** Sends one request. A body that is cut, too long or no JSON counts as lost; `json` is undefined without a body. */
export function callHubu(
  endpoint: HubuEndpoint,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<HubuReply> {
  return new Promise((resolve) => {
    const lost = () => resolve({ kind: 'lost' })
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const outgoing = request(
      `${endpoint.baseUrl}${path}`,
      {
        method,
        agent: false,
        timeout: endpoint.silenceMs,
        signal: AbortSignal.timeout(wholeCallMs),
        headers: {
          Authorization: `Bearer ${endpoint.token}`,
          Connection: 'close',
          ...(payload === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': String(payload.length) }),
        },
      },
      (answer) => void read(answer).then(resolve, lost),
    )
    outgoing.on('error', lost)
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.end(payload)
  })
}

async function read(answer: IncomingMessage): Promise<HubuReply> {
  const status = answer.statusCode ?? 0
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestAnswerBytes) {
      answer.destroy()
      return { kind: 'lost' }
    }
    chunks.push(chunk)
  }
  // The status of a refusal decides alone; its body is never looked at.
  if (status < 200 || status > 299) return { kind: 'answered', status, json: undefined }
  return { kind: 'answered', status, json: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown }
}
