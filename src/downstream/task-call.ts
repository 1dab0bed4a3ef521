// A tool that runs only as a task: started, waited for, and answered as any other call.
import type { ListedTool } from './admission/admit.ts'
import { isLost, type CallOptions, type CallOutcome, type CallRefusal } from './outcome.ts'

type Ask = (method: string, params: Record<string, unknown>, options: CallOptions) => Promise<CallOutcome | CallRefusal>

/** Whether the server refuses plain calls of this tool. Our own client is offered no tasks and calls it plainly. */
export function runsOnlyAsTask({ execution }: ListedTool): boolean {
  return (execution as { taskSupport?: unknown } | null | undefined)?.taskSupport === 'required'
}

/** Starts the task once and gives its result. Whoever stops waiting for it cancels it. */
export async function callAsTask(
  exchange: Ask,
  call: { name: string; arguments: Record<string, unknown> },
  options: CallOptions,
): Promise<CallOutcome | CallRefusal> {
  const started = await exchange('tools/call', { ...call, task: {} }, options)
  const taskId = started.kind === 'result' ? taskIdOf(started.value) : undefined
  if (taskId === undefined) return started
  const ended = await exchange('tasks/result', { taskId }, options)
  if (ended.kind === 'result' || ended.kind === 'error') return ended
  // The task was begun, so nothing of what follows can say that it was not.
  const why = 'why' in ended ? ended.why : 'connection_lost'
  if (!isLost(why)) void exchange('tasks/cancel', { taskId }, {})
  return { kind: 'unknown', why }
}

function taskIdOf(value: object): string | undefined {
  const id = (value as { task?: { taskId?: unknown } | null }).task?.taskId
  return typeof id === 'string' ? id : undefined
}
