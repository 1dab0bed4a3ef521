// Pure: what can be made to go wrong, and for which requests or executions.

/** What happens instead of, or after, the proper handling of a request. */
export type Fault =
  /** The request is handled, its answer comes late. */
  | { kind: 'delay'; delayMs: number }
  /** Another status is answered; `handled` says whether the request took effect before. */
  | { kind: 'error'; status: number; handled: boolean }
  /** The connection ends without an answer; `handled` says whether the request took effect before. */
  | { kind: 'lost_reply'; handled: boolean }
  /** The request is handled, the connection ends within its answer. */
  | { kind: 'cut_reply' }
  /** The request is handled, its answer is no JSON. */
  | { kind: 'garbage' }
  /** 503, nothing is handled. */
  | { kind: 'not_ready' }
  /** The request is handled, and members of its JSON answer are replaced, as another version would have them. */
  | { kind: 'incompatible_version'; members: Readonly<Record<string, string>> }

/** What a rule is about: requests, or executions at a backend that has them. */
export type FaultRule = RequestRule | ExecutionRule

/** What all rules have. */
interface AnyRule {
  /** What whoever set it calls it. */
  name?: string
  /** How many more it meets; absent means all. */
  times?: number
}

/** A fault and the requests it meets. */
export interface RequestRule extends AnyRule {
  kind: 'request'
  /** Exact; absent means any. */
  method?: string
  /** The exact raw path, or a beginning followed by `*`. */
  path: string
  fault: Fault
}

/** How executions behave that do not say it themselves; in the words of the markers in a prompt. */
export interface ExecutionRule extends AnyRule {
  kind: 'execution'
  behaviour: string
}

/** What a rule says that cannot be understood. The message goes to whoever set it. */
export class FaultRuleError extends Error {}

const mostRules = 100
const longestDelayMs = 600_000
const anyKeys = ['name', 'times', 'kind']
const requestKeys = [...anyKeys, 'method', 'path', 'delay_ms', 'status', 'handled', 'members']
const executionKeys = [...anyKeys, 'behaviour']

/** Reads `{"faults": [...]}`; `isBehaviour` knows how executions can behave, where there are any. Throws FaultRuleError. */
export function readFaultRules(text: string, isBehaviour: (text: string) => boolean): FaultRule[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new FaultRuleError('the body is not JSON')
  }
  const list = members(body, 'the body', ['faults']).faults
  if (!Array.isArray(list) || list.length > mostRules)
    throw new FaultRuleError(`faults must be a list of at most ${mostRules}`)
  return list.map((item, index) => readRule(item, `faults[${index}]`, isBehaviour))
}

/** Whether a rule meets a request. */
export function meets(rule: FaultRule, request: { method: string; path: string }): rule is RequestRule {
  if (rule.kind !== 'request' || isUsedUp(rule)) return false
  if (rule.method !== undefined && rule.method !== request.method) return false
  return rule.path.endsWith('*') ? request.path.startsWith(rule.path.slice(0, -1)) : request.path === rule.path
}

/** Whether a rule meets the next execution. */
export function meetsExecutions(rule: FaultRule): rule is ExecutionRule {
  return rule.kind === 'execution' && !isUsedUp(rule)
}

/** A rule as it is written in JSON. */
export function ruleJson(rule: FaultRule): Record<string, unknown> {
  const { name, times } = rule
  if (rule.kind === 'execution') return { name, times, kind: 'execution', behaviour: rule.behaviour }
  const { kind, ...rest } = rule.fault
  const { delayMs, ...others } = { delayMs: undefined, ...rest }
  return { name, method: rule.method, path: rule.path, times, kind, delay_ms: delayMs, ...others }
}

function readRule(value: unknown, at: string, isBehaviour: (text: string) => boolean): FaultRule {
  const isExecution = members(value, at).kind === 'execution'
  const rule = members(value, at, isExecution ? executionKeys : requestKeys)
  const { name, method, path, behaviour } = rule
  if (!isTextOrAbsent(name)) throw new FaultRuleError(`${at}.name must be a text`)
  const times = rule.times === undefined ? undefined : integer(rule.times, `${at}.times`, 1, 1_000_000)
  if (isExecution) {
    if (typeof behaviour !== 'string' || !isBehaviour(behaviour))
      throw new FaultRuleError(`${at}.behaviour is none that executions know here`)
    return { kind: 'execution', name, times, behaviour }
  }
  if (typeof path !== 'string' || !path.startsWith('/')) throw new FaultRuleError(`${at}.path must begin with a slash`)
  if (!isTextOrAbsent(method)) throw new FaultRuleError(`${at}.method must be a text`)
  return { kind: 'request', name, method, path, times, fault: readFault(rule, at) }
}

function readFault(rule: Record<string, unknown>, at: string): Fault {
  const handled = rule.handled ?? true
  if (typeof handled !== 'boolean') throw new FaultRuleError(`${at}.handled must be true or false`)
  switch (rule.kind) {
    case 'delay':
      return { kind: 'delay', delayMs: integer(rule.delay_ms, `${at}.delay_ms`, 0, longestDelayMs) }
    case 'error':
      return { kind: 'error', status: integer(rule.status ?? 500, `${at}.status`, 400, 599), handled }
    case 'lost_reply':
      return { kind: 'lost_reply', handled }
    case 'cut_reply':
    case 'garbage':
    case 'not_ready':
      return { kind: rule.kind }
    case 'incompatible_version': {
      const wanted = rule.members ?? { product_version: '0.0.0-incompatible' }
      const replaced = members(wanted, `${at}.members`)
      if (!Object.values(replaced).every((text) => typeof text === 'string'))
        throw new FaultRuleError(`${at}.members must hold texts`)
      return { kind: 'incompatible_version', members: replaced as Record<string, string> }
    }
    default:
      throw new FaultRuleError(
        `${at}.kind must be delay, error, lost_reply, cut_reply, garbage, not_ready, incompatible_version or execution`,
      )
  }
}

function members(value: unknown, at: string, keys?: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FaultRuleError(`${at} must be an object`)
  const unknown = Object.keys(value).find((key) => keys !== undefined && !keys.includes(key))
  if (unknown !== undefined) throw new FaultRuleError(`${at} has an unknown key \`${unknown}\``)
  return value as Record<string, unknown>
}

function isUsedUp({ times }: FaultRule): boolean {
  return times !== undefined && times <= 0
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function integer(value: unknown, at: string, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw new FaultRuleError(`${at} must be a whole number between ${least} and ${most}`)
  return value
}
