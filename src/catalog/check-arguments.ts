import type { Violation } from '#generated/types/router.js'
import { toolValidators, type Issue, type Validator } from '#generated/validators/tools.js'
import type { ToolName } from '#generated/ownership.js'
import type { Findings } from '../json/findings.ts'

/** The deepest arguments that we pass on; what the reference Hubu reads may nest 127 deep with its body. */
export const nestingLimit = 100
/** At most so many violations are told. */
const violationLimit = 10

/**
 * The schema gate: everything that is wrong with a call's arguments, in words and without their values; empty when they
 * may be forwarded as they are.
 */
export function checkArguments(tool: ToolName, args: object, findings: Findings): Violation[] {
  return checkWith(toolValidators[tool], args, findings)
}

/** The same for any tool of ours. */
export function checkWith(validate: Validator<unknown>, args: object, findings: Findings): Violation[] {
  const textual = checkTexts(findings)
  if (textual.length > 0) return textual
  const issues = validate(args) ? [] : (validate.errors ?? [])
  if (issues.length > 0) return issues.slice(0, violationLimit).map(toViolation)
  return hasBrokenText(args)
    ? [violation('', 'text', 'a text holds half of a surrogate pair; send well-formed Unicode')]
    : []
}

/** What a call's text shows that its parsed arguments no longer do, as violations: whatever tool is called. */
export function checkTexts(findings: Findings): Violation[] {
  const found: Violation[] = []
  if (findings.duplicateKey) found.push(violation('', 'unique_members', 'a member is given twice; give each once'))
  if (findings.protoKey) found.push(violation('', 'additionalProperties', 'a member named __proto__ is not accepted'))
  if (findings.depth > nestingLimit) {
    found.push(violation('', 'depth', `the arguments are nested deeper than ${nestingLimit} levels`))
  }
  if (findings.inexactNumber) {
    found.push(
      violation(
        '',
        'exact_number',
        'a number cannot be kept exactly; integers go up to 9007199254740991, and fractions must not be longer than a double holds',
      ),
    )
  }
  return found
}

function toViolation(issue: Issue): Violation {
  const name = memberName(issue)
  const path = name === undefined ? issue.instancePath : `${issue.instancePath}/${name}`
  return violation(path, issue.keyword, describeIssue(issue))
}

/** Names a missing member always, an unknown one only when it looks like a name: it is text of the model. */
function memberName({ keyword, params }: Issue): string | undefined {
  if (keyword === 'required') return params.missingProperty as string
  const unknown = params.additionalProperty
  return typeof unknown === 'string' && /^[A-Za-z_][\w.-]{0,63}$/.test(unknown) ? unknown : undefined
}

function describeIssue({ keyword, params, message }: Issue): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a member of this tool'
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'enum':
      return `must be one of ${JSON.stringify(params.allowedValues)}`
    default:
      return message ?? 'is not valid'
  }
}

/** One violationSentence about the first violation. */
export function violationSentence(tool: string, violations: readonly Violation[]): string {
  const first = violations[0]
  if (first === undefined) return `The arguments of ${tool} are not valid.`
  const where = first.path === '' ? 'the arguments' : first.path.slice(1).replaceAll('/', '.')
  return `The arguments of ${tool} are not valid: ${where}: ${first.message}.`
}

function violation(path: string, rule: string, message: string): Violation {
  return { path, rule, message }
}

function hasBrokenText(args: object): boolean {
  const open: unknown[] = [args]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string' && !value.isWellFormed()) return true
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (!name.isWellFormed()) return true
      open.push(member)
    }
  }
  return false
}
