// The schema gate of the meta-tools: a violation is a tool result, and the tool does not run.
import type { MetaToolName } from '#generated/meta-tools.js'
import { metaToolValidators, type Issue, type Validator } from '#generated/validators/meta-tools.js'
import { checkTexts } from '../catalog/check-arguments.ts'
import { RouterError } from '../errors/router-error.ts'
import type { Findings } from '../json/findings.ts'

/** What is wrong with a meta-tool's own arguments, in one sentence without their values; undefined when nothing is. */
export function refuseMetaArguments(name: MetaToolName, args: object, findings: Findings): string | undefined {
  // What is given through call_tool is judged where it arrives.
  if (name !== 'call_tool') {
    if (findings.duplicateKey) return `${name}: an argument is given twice; give each once.`
    if (findings.protoKey) return `${name}: an argument named __proto__ is not accepted.`
    if (findings.inexactNumber) return `${name}: a number cannot be kept exactly; integers go up to 9007199254740991.`
  }
  const validate: Validator<unknown> = metaToolValidators[name]
  if (validate(args)) return undefined
  return `${name}: ${inWords(validate.errors?.[0])}`
}

/**
 * Throws `schema_violation` for arguments of a mounted tool that cannot be passed on as they were written; the contract's own
 * tools are held to the same.
 */
export function refuseInexact(findings: Findings): void {
  const violations = checkTexts(findings)
  const [first] = violations
  if (first === undefined) return
  throw new RouterError('schema_violation', `The arguments are not valid: ${first.message}.`, { data: { violations } })
}

function inWords(issue: Issue | undefined): string {
  const member = issue?.instancePath.slice(1) ?? ''
  switch (issue?.keyword) {
    case 'required':
      return `${String(issue.params.missingProperty)} is required.`
    case 'additionalProperties':
      return `unknown argument ${nameOf(issue.params.additionalProperty)}; put a tool's own arguments under "arguments".`
    default:
      return `${member === '' ? 'the arguments' : member} ${issue?.message ?? 'are not valid'}.`
  }
}

/** An unknown argument is named only when it looks like a name: it is text of the model. */
function nameOf(member: unknown): string {
  return typeof member === 'string' && /^[A-Za-z_][\w.-]{0,63}$/.test(member) ? member : 'name'
}
