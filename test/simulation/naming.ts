// How calls are recognised wherever they turn up.
import type { Intent } from './plan.ts'

/** One harness call: the intent and, when the agent was told for certain that nothing happened, its replacement's number. */
export interface CallName {
  intent: number
  generation: number
}

export const amountOf = (intent: number): number => 100 + intent

/** The arguments of a spend. */
export function spendArguments({ n }: Intent, generation: number): Record<string, unknown> {
  return { account_id: 'account-1', amount_cents: amountOf(n), reason: `call ${n}.${generation}` }
}

/** The call that a spend's reason names. */
export function intentOf(reason: string): CallName {
  const [, intent, generation] = /^call (\d+)\.(\d+)$/.exec(reason) ?? []
  return { intent: Number(intent ?? -1), generation: Number(generation ?? -1) }
}

/** The trusted metadata of a harness call. */
export function metaOf({ n, source }: Intent, generation: number): Record<string, unknown> {
  const id = `call-${n}-${generation}`
  switch (source) {
    case 'codex':
      return { callId: id, other: { noise: true } }
    case 'claude':
      return { 'claudecode/toolUseId': id }
    case 'envelope':
      return { 'hubu.dev/platform-invocation': { platform: 'hubu-platform', invocation_id: id, task_id: `task ${n}` } }
  }
}

/** The prompt of an intent's execution: it must not stay anywhere. */
export const promptOf = (intent: number): string => `prompt-canary of intent ${intent}`

/** The arguments of an execution. */
export function createArguments(intent: number, token: string): Record<string, unknown> {
  return {
    schema_version: 2,
    spend_auth_token_id: token,
    input: { prompt: promptOf(intent), image_count: 1 },
    input_schema_version: 1,
    workload_type: 'image_generation',
    provider: 'fixture',
    adapter: 'fixture',
    model: 'fixture-v1',
  }
}
