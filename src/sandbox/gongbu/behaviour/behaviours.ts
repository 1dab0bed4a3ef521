import type { JsonObject } from '../admission/json-text.ts'
import { markedBehaviour, readBehaviour, type Behaviour } from './behaviour.ts'

/** How each execution behaves. */
export type BehaviourOf = (execution: { executionId: string; input: JsonObject }) => Behaviour

/**
 * Looks for markers in the stored prompt if it should, so that a restart changes nothing, then asks for a rule. What a rule said
 * about an execution is remembered while this process lives.
 */
export function createBehaviours(options: {
  marksPrompts: boolean
  ruleForExecution: () => string | undefined
}): BehaviourOf {
  const { marksPrompts, ruleForExecution } = options
  const ruled = new Map<string, Behaviour>()
  return ({ executionId, input }) => {
    const prompt = input.get('prompt')
    const marked = marksPrompts && typeof prompt === 'string' ? markedBehaviour(prompt) : undefined
    if (marked !== undefined) return marked
    const known = ruled.get(executionId)
    if (known !== undefined) return known
    const rule = ruleForExecution()
    if (rule === undefined) return {}
    const behaviour = readBehaviour(rule) ?? {}
    ruled.set(executionId, behaviour)
    return behaviour
  }
}
