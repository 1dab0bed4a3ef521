import { meets, meetsExecutions, readFaultRules, ruleJson, type Fault, type FaultRule } from './rule.ts'

/** The rules of one running backend. They live as long as its process. */
export interface FaultPlan {
  /** Replaces all rules by those of `{"faults": [...]}`. Throws FaultRuleError and changes nothing. */
  replace(text: string): void
  /** The rules, with the times they have left. */
  list(): Record<string, unknown>[]
  /** What the first rule that meets a request does; counts as one of its times. */
  forRequest(request: { method: string; path: string }): Fault | undefined
  /** How the first rule for executions wants the next one to behave; counts as one of its times. */
  forExecution(): string | undefined
}

/** An empty plan. `isBehaviour` knows how executions can behave; a backend without executions leaves it out. */
export function createFaultPlan(isBehaviour: (text: string) => boolean = () => false): FaultPlan {
  let rules: FaultRule[] = []
  const use = <Rule extends FaultRule>(rule: Rule | undefined): Rule | undefined => {
    if (rule?.times !== undefined) rule.times -= 1
    return rule
  }
  return {
    replace(text) {
      rules = readFaultRules(text, isBehaviour)
    },
    list: () => rules.map(ruleJson),
    forRequest: (request) => use(rules.find((rule) => meets(rule, request)))?.fault,
    forExecution: () => use(rules.find(meetsExecutions))?.behaviour,
  }
}
