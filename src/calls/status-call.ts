import { checkArguments, violationSentence } from '../catalog/check-arguments.ts'
import { RouterError } from '../errors/router-error.ts'
import { isBoundedText } from '../identity/bounds.ts'
import type { Findings } from '../json/findings.ts'
import type { Registry } from '../operations/registry.ts'
import { registryUnavailable } from '../answers/refusals.ts'
import { type ToolResult, statusAnswer } from '../answers/answer.ts'

const handlePrefix = 'hubu:public-operation:v1:'
/** No handle is longer. */
const handleLimitBytes = 160

/**
 * Answers hubu_operation_status without network and without a probe. Any text goes to the lookup, so a malformed handle is
 * an unknown one and not a violation of the schema.
 */
export async function answerStatus(
  args: Record<string, unknown>,
  findings: Findings,
  registry: Registry | null,
  principal: string,
): Promise<ToolResult> {
  const handle = args.operation_handle
  const rest = { ...args, operation_handle: `${handlePrefix}${'0'.repeat(32)}` }
  const violations = checkArguments('hubu_operation_status', typeof handle === 'string' ? rest : args, findings)
  if (violations.length > 0) {
    throw new RouterError('schema_violation', violationSentence('hubu_operation_status', violations), {
      data: { violations },
    })
  }
  if (registry === null) throw registryUnavailable('hubu_operation_status')
  if (typeof handle !== 'string' || !handle.startsWith(handlePrefix) || !isBoundedText(handle, handleLimitBytes)) {
    throw new RouterError(
      'operation_handle_unknown',
      'No operation has this handle. Use operation_handle exactly as a spend or create result gave it.',
    )
  }
  return statusAnswer(await registry.execution.status(handle, principal))
}
