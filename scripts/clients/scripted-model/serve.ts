// The scripted model as an HTTP server on loopback, in the four APIs that clients speak to model vendors.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { chat } from './chat.ts'
import { fieldsOf, textOf, type Conversation, type Dialect, type Reply, type Turn } from './conversation.ts'
import { generateContent } from './generate-content.ts'
import { messages } from './messages.ts'
import { responses } from './responses.ts'
import { decide, lookPrefix, type Step } from './script.ts'

/** A running model. */
export interface ScriptedModel extends AsyncDisposable {
  readonly url: string
  /** The longest conversation that a client had with it. */
  readonly longest: Conversation
  /** Why the script could not be played to its end; undefined while nothing is known against it. */
  readonly stopped: string | undefined
}

/** Runs before a step is called for the `attempt`th time (0 at first), and holds the model's answer back as long. */
export type BeforeStep = (step: Step, attempt: number) => Promise<void>

/** Starts a model that plays the steps. */
export async function startModel(steps: readonly Step[], before: BeforeStep): Promise<ScriptedModel> {
  let longest: Conversation = { tools: [], results: [], wantsJson: false }
  let stopped: string | undefined
  const run = randomUUID().slice(0, 8)
  const turnOf = async (conversation: Conversation): Promise<Turn> => {
    // Titles, summaries and the like are asked for without tools.
    if (conversation.wantsJson) return { say: JSON.stringify(besides) }
    if (conversation.tools.length === 0) return { say: 'a purchase' }
    if (conversation.results.length >= longest.results.length) longest = conversation
    const decision = decide(steps, conversation)
    const number = conversation.results.length
    switch (decision.kind) {
      case 'end':
        stopped = decision.stopped
        return { say: decision.stopped ?? 'all done' }
      case 'look':
        await pause()
        return { call: { ...decision.tool, callId: `${lookPrefix}${run}${number}`, args: decision.args } }
      case 'call':
        await before(decision.step, decision.attempt)
        return { call: { ...decision.tool, callId: `call_${run}${number}`, args: decision.args } }
    }
  }
  const server = createServer((request, response) => {
    answer(request, response, turnOf).catch((error: Error) => {
      stopped = `the model broke: ${error.message}`
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get longest() {
      return longest
    },
    get stopped() {
      return stopped
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Time for a server that still starts. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 1000))

/** Answers clients' own questions besides the user's: who speaks next, how difficult is it. */
const besides = {
  reasoning: 'none',
  next_speaker: 'user',
  model_choice: 'flash',
  complexity_reasoning: 'none',
  complexity_score: 1,
}

/** Which API a path belongs to; undefined for anything else. */
function dialectOf(path: string): { dialect: Dialect; streams: boolean | undefined } | undefined {
  if (path.endsWith('/responses')) return { dialect: responses, streams: true }
  if (path.endsWith('/messages')) return { dialect: messages, streams: undefined }
  if (path.endsWith('/chat/completions')) return { dialect: chat, streams: undefined }
  if (path.endsWith(':streamGenerateContent')) return { dialect: generateContent, streams: true }
  if (path.endsWith(':generateContent')) return { dialect: generateContent, streams: false }
  return undefined
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  turnOf: (conversation: Conversation) => Promise<Turn>,
): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?')
  const body = JSON.parse(textIn(await buffer(request), request.headers['content-encoding']) || '{}') as unknown
  const found = request.method === 'POST' ? dialectOf(path) : undefined
  if (found === undefined) return send(response, aside(path))
  const { model, stream } = fieldsOf(body)
  const turn = await turnOf(found.dialect.read(body))
  send(
    response,
    found.dialect.answer(turn, {
      id: randomUUID().replaceAll('-', ''),
      model: textOf(model) || 'scripted',
      stream: found.streams ?? stream === true,
    }),
  )
}

const textIn = (bytes: Buffer, encoding: string | undefined): string =>
  (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()

/** What clients ask besides turns: counts of tokens, and which models there are. */
function aside(path: string): Reply {
  if (path.endsWith('/models')) {
    const model = { id: 'scripted', object: 'model', created: 1, owned_by: 'nobody' }
    return { json: { object: 'list', data: [model], models: [] } }
  }
  return { json: { input_tokens: 10, totalTokens: 10 } }
}

function send(response: ServerResponse, reply: Reply): void {
  if ('json' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply.json))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const { event, data } of reply.events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`)
  }
  response.end()
}
