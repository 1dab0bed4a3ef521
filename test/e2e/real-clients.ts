// Both generations of the official client, with a person and a model behind them, in front of the built sandbox.
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { pathToFileURL } from 'node:url'

/** A tool's answer, as far as the tests read it. */
export interface ToolAnswer {
  content: Record<string, unknown>[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export interface ToolCall {
  name: string
  arguments?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

/** What a server says of a running call. */
export interface Progress {
  progress: number
  total?: number
}

/** A connected client; what its person and its model were asked stands in `asked`. */
export interface RealClient {
  readonly asked: string[]
  /** Addresses of resources that were told to have changed. */
  readonly changed: string[]
  instructions(): string
  toolNames(): Promise<string[]>
  /** Holds the answer against the output schema that was listed. */
  call(call: ToolCall, onProgress?: (progress: Progress) => void): Promise<ToolAnswer>
  resources(): Promise<{ uri: string }[]>
  /** The text of a resource's first part. */
  read(uri: string): Promise<unknown>
  templates(): Promise<string[]>
  subscribe(uri: string): Promise<unknown>
  prompts(): Promise<string[]>
  prompt(name: string, args: Record<string, string>): Promise<unknown>
  /** What a prompt's argument may become. */
  completions(prompt: string, argument: { name: string; value: string }): Promise<string[]>
  close(): Promise<void>
}

/** How a client starts the server, and the folder that it calls its own. */
export interface Start {
  args: string[]
  env: Record<string, string>
  folder: string
}

const clientInfo = { name: 'hubu-test', version: '1' }
const capabilities = { elicitation: {}, sampling: {}, roots: {} }

/** The client of SDK 1.x. */
export async function realClientV1({ args, env, folder }: Start): Promise<RealClient> {
  const client = new ClientV1(clientInfo, { capabilities })
  const { asked, changed, person, model, roots } = behind(folder)
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void changed.push(params.uri))
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params))
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => model(params))
  client.setRequestHandler(ListRootsRequestSchema, roots)
  await client.connect(new TransportV1({ command: process.execPath, args, env }))
  return {
    ...toRealClient(client),
    asked,
    changed,
    call: async (call, onprogress) =>
      (await client.callTool(call, undefined, onprogress && { onprogress })) as unknown as ToolAnswer,
  }
}

/** The client of the second generation, which finds out that its server speaks the modern era by asking a copy that it throws away. */
export async function realClientV2({ args, env, folder }: Start): Promise<RealClient> {
  const client = new ClientV2(clientInfo, { capabilities, versionNegotiation: { mode: 'auto' } })
  const { asked, changed, person, model, roots } = behind(folder)
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changed.push(params.uri))
  client.setRequestHandler('elicitation/create', ({ params }) => person(params))
  client.setRequestHandler('sampling/createMessage', ({ params }) => model(params))
  client.setRequestHandler('roots/list', roots)
  await client.connect(new TransportV2({ command: process.execPath, args, env }))
  return {
    ...toRealClient(client),
    asked,
    changed,
    // The modern era has no requests for single resources.
    subscribe: (uri) => client.listen({ resourceSubscriptions: [uri] }),
    call: async (call, onprogress) =>
      (await client.callTool(call, onprogress && { onprogress })) as unknown as ToolAnswer,
  }
}

type Either = Pick<
  ClientV1 | ClientV2,
  | 'getInstructions'
  | 'listTools'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'subscribeResource'
  | 'listPrompts'
  | 'getPrompt'
  | 'complete'
  | 'close'
>

function toRealClient(client: Either): Omit<RealClient, 'call' | 'asked' | 'changed'> {
  return {
    instructions: () => client.getInstructions() ?? '',
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents[0],
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    subscribe: (uri) => client.subscribeResource({ uri }),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0]?.content,
    completions: async (name, argument) =>
      (await client.complete({ ref: { type: 'ref/prompt', name }, argument })).completion.values,
    close: () => client.close(),
  }
}

/** A person who agrees, a model that says hello, and one folder. */
function behind(folder: string) {
  const asked: string[] = []
  return {
    asked,
    changed: [] as string[],
    person: ({ message }: { message: string }) => {
      asked.push(message)
      return { action: 'accept' as const, content: { name: 'Ada', check: true } }
    },
    model: ({ maxTokens }: { maxTokens: number }) => {
      asked.push(`at most ${maxTokens} tokens`)
      return { model: 'none', role: 'assistant' as const, content: { type: 'text' as const, text: 'hello' } }
    },
    roots: () => ({ roots: [{ uri: pathToFileURL(folder).href, name: 'work' }] }),
  }
}
