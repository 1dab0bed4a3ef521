// Pure: what one execution can be made to do, in words.
import type { ArtifactFault } from '../artifacts/store.ts'
import type { JsonObject } from '../json/json-text.ts'
import type { HubuFaults } from '../hubu/faults.ts'

/** How an execution behaves; what is absent goes well. Faults of Hubu's side meet the first call, not its repetitions. */
export interface Behaviour extends HubuFaults {
  /** How long the provider takes before it does anything. */
  slowMs?: number
  /** Proven refusal; work done and answer lost; an answer that proves nothing; no answer at all. */
  provider?: 'rejected' | 'reconciliation' | 'malformed' | 'hang'
  artifact?: ArtifactFault
}

/** Words with their effect. `slow` takes a time besides: `slow 500ms`, `slow 3s`, `slow 2m`. */
const behaviours: Readonly<Record<string, Behaviour>> = {
  rejected: { provider: 'rejected' },
  reconciliation: { provider: 'reconciliation' },
  malformed: { provider: 'malformed' },
  hang: { provider: 'hang' },
  'artifact failed': { artifact: 'proven_before_mutation' },
  'artifact lost': { artifact: 'commit_then_disconnect' },
  'claim rejected': { claim: 'proven_before_mutation' },
  'claim lost': { claim: 'commit_then_disconnect' },
  'settle rejected': { settle: 'proven_before_mutation' },
  'settle lost': { settle: 'commit_then_disconnect' },
  'release rejected': { release: 'proven_before_mutation' },
  'release lost': { release: 'commit_then_disconnect' },
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
const longestMs = 3_600_000
const marker = /\[\[sandbox:([^\]]*)\]\]/g

/** The behaviour that some words describe; undefined when they are not known. */
export function readBehaviour(text: string): Behaviour | undefined {
  const words = text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  const [, count, unit = ''] = /^slow ([0-9]{1,7})(ms|s|m)$/.exec(words) ?? []
  if (count === undefined) return Object.hasOwn(behaviours, words) ? behaviours[words] : undefined
  const slowMs = Number(count) * (unitsMs[unit] ?? 1)
  return slowMs <= longestMs ? { slowMs } : undefined
}

/**
 * What the markers in a prompt ask for: `[[sandbox: WORDS]]`, any number of them, of two about the same the last one. Markers that
 * are not known are text like any other. Undefined without a known one.
 */
export function markedBehaviour(prompt: string): Behaviour | undefined {
  const known = [...prompt.matchAll(marker)].flatMap(([, text = '']) => readBehaviour(text) ?? [])
  return known.length === 0 ? undefined : Object.assign({}, ...known)
}

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
