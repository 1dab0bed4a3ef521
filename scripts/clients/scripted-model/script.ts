// Pure: what a model does that plays a fixed list of steps. Where it stands is read from the conversation alone, so that it does
// not matter which process of a client asks, and how often.
import type { Conversation, OfferedTool, ToolResult } from './conversation.ts'

/** The values of the steps that were played, by their names. */
export type Seen = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What a step's result means: go on, ask the same once more, or end. */
export type Judgement = 'next' | 'again' | 'end'

/** One tool call of a script. */
export interface Step {
  /** Its own in the script. */
  name: string
  /** The server's name of the tool; clients put theirs before it. */
  tool: string
  args(seen: Seen): object
  /** Without it a value leads on, anything else ends. */
  judge?(value: Readonly<Record<string, unknown>> | undefined): Judgement
}

/** What the model does next. */
export type Decision =
  | { kind: 'call'; step: Step; attempt: number; tool: OfferedTool; args: object }
  | { kind: 'look'; tool: OfferedTool; args: object }
  /** Nothing more to do; `stopped` names a step that could not be played and what was told of it. */
  | { kind: 'end'; stopped: string | undefined }

/** Call ids of looks begin with it, so that their results are told from those of steps. */
export const lookPrefix = 'look_'

/** How often a step is called again at most. */
const mostAttempts = 15

/** How often a model looks for a tool at most, over all steps that were played. */
const looksForEach = 5

/** By what clients let a model find tools that they do not show at first; the last of them waits for a server that still starts. */
const lookTools: Readonly<Record<string, (tool: string) => object>> = {
  tool_search: (tool) => ({ query: `select:mcp__hubu__${tool}` }),
  ToolSearch: (tool) => ({ query: `select:mcp__hubu__${tool}` }),
  list_mcp_resources: () => ({}),
}

/** How far a conversation has come. */
export interface Progress {
  /** The next step; undefined when all were played. */
  step: Step | undefined
  /** How often it was called already. */
  attempt: number
  /** How many steps were played. */
  played: number
  seen: Seen
  /** The step that could not be played, and what was told of it. */
  stopped: string | undefined
}

/** Replays a conversation along the steps. */
export function replay(steps: readonly Step[], { results }: Conversation): Progress {
  const seen: Record<string, Readonly<Record<string, unknown>>> = {}
  let played = 0
  let attempt = 0
  for (const result of results.filter(({ callId }) => !isLook(callId))) {
    const step = steps[played]
    if (step === undefined) break
    const value = valueOf(result)
    const judgement = step.judge?.(value) ?? (value === undefined ? 'end' : 'next')
    if (judgement === 'end') {
      return { step, attempt, played, seen, stopped: `${step.name}: ${result.text.slice(0, 500)}` }
    }
    if (value !== undefined) seen[step.name] = value
    attempt = judgement === 'again' ? attempt + 1 : 0
    if (judgement === 'next') played++
  }
  return { step: steps[played], attempt, played, seen, stopped: undefined }
}

/** The next move of a model that plays `steps`. */
export function decide(steps: readonly Step[], conversation: Conversation): Decision {
  const { step, attempt, played, seen, stopped } = replay(steps, conversation)
  if (step === undefined || stopped !== undefined) return { kind: 'end', stopped }
  if (attempt > mostAttempts) {
    const last = conversation.results.at(-1)?.text.slice(0, 500)
    return { kind: 'end', stopped: `${step.name}: the same after ${mostAttempts} more calls: ${last}` }
  }
  const { tools, results } = conversation
  const tool = tools.find(({ name }) => isNamed(name, step.tool))
  if (tool !== undefined) return { kind: 'call', step, attempt, tool, args: step.args(seen) }
  const bridge = tools.find(({ name }) => name === 'tool_call')
  const found = bridge === undefined ? undefined : foundName(results, step.tool)
  if (bridge !== undefined && found !== undefined) {
    return { kind: 'call', step, attempt, tool: bridge, args: { name: found, arguments: step.args(seen) } }
  }
  const look = tools.find(({ name }) => Object.hasOwn(lookTools, name))
  const looks = results.filter(({ callId }) => isLook(callId)).length
  if (look !== undefined && looks < played + looksForEach) {
    return { kind: 'look', tool: look, args: lookTools[look.name]?.(step.tool) ?? {} }
  }
  return { kind: 'end', stopped: `${step.name}: ${step.tool} was not offered` }
}

/** The client's name of a tool, in what the model was told when it looked for it. Qwen Code has such tools called by one of its own. */
function foundName(results: readonly ToolResult[], tool: string): string | undefined {
  const told = results.filter(({ callId }) => isLook(callId)).map(({ text }) => text)
  const names = [...told.join('\n').matchAll(/"name": ?"([^"]+)"/g)].map(([, name = '']) => name)
  return names.find((name) => isNamed(name, tool))
}

/** Whether a client's name of a tool is that of the server's tool: theirs has their own words before it. */
const isNamed = (name: string, tool: string): boolean =>
  name === tool || (name.endsWith(tool) && /[^a-z0-9]$/i.test(name.slice(0, -tool.length)))

const isLook = (callId: string): boolean => callId.startsWith(lookPrefix) || Object.hasOwn(lookTools, callId)

/** The first JSON object in what a client told of a result: clients put lines of their own around it, and some tell it twice. */
export function valueOf({ text }: Pick<ToolResult, 'text'>): Readonly<Record<string, unknown>> | undefined {
  const from = text.indexOf('{')
  const parts = text.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)
  let depth = 0
  for (const { 0: part, index } of from < 0 ? [] : parts) {
    depth += part === '{' ? 1 : part === '}' ? -1 : 0
    if (depth > 0) continue
    try {
      return unwrapped(JSON.parse(text.slice(from, from + index + 1)) as Record<string, unknown>)
    } catch {
      return undefined
    }
  }
  return undefined
}

/** Some clients put a result into an object of their own, as a text. */
function unwrapped(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return (typeof value.result === 'string' && valueOf({ text: value.result })) || value
}
