// Pure: what a recorder kept, as calls and their answers.

/** One kept line. */
export interface RecordedLine {
  at_ms: number
  /** Of the recorder: one for each process of the server. */
  pid: number
  from: 'client' | 'server' | 'recorder'
  line: string
}

/** A request of the client, and what came back. */
export interface Exchange {
  pid: number
  method: string
  params: Readonly<Record<string, unknown>>
  /** Undefined when the server did not answer, or answered with an error. */
  result: Readonly<Record<string, unknown>> | undefined
  error: { code: number; message: string; data?: Readonly<Record<string, unknown>> } | undefined
}

/** The lines of a recorder's file. A last line that is not whole is left out: the recorder may have been killed. */
export function readLines(text: string): RecordedLine[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RecordedLine)
}

/** The client's requests in the order in which they were sent. */
export function exchangesOf(lines: readonly RecordedLine[]): Exchange[] {
  const exchanges: Exchange[] = []
  const open = new Map<string, Exchange>()
  const keyOf = (pid: number, id: unknown) => `${pid} ${JSON.stringify(id)}`
  for (const { pid, from, line } of lines) {
    if (from === 'recorder') continue
    const message = messageOf(line)
    if (message === undefined) continue
    const { id, method, params = {} } = message
    if (from === 'client' && method !== undefined && id !== undefined) {
      const exchange: Exchange = { pid, method, params, result: undefined, error: undefined }
      open.set(keyOf(pid, id), exchange)
      exchanges.push(exchange)
    } else if (from === 'server' && method === undefined) {
      const exchange = open.get(keyOf(pid, id))
      if (exchange === undefined) continue
      exchange.result = message.result
      exchange.error = message.error
      open.delete(keyOf(pid, id))
    }
  }
  return exchanges
}

/** Calls of one tool. */
export const callsOf = (exchanges: readonly Exchange[], tool: string): Exchange[] =>
  exchanges.filter(({ method, params }) => method === 'tools/call' && params.name === tool)

interface Message {
  id?: unknown
  method?: string
  params?: Record<string, unknown>
  result?: Exchange['result']
  error?: Exchange['error']
}

function messageOf(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
