import { createHash } from 'node:crypto'
import type { Violation } from '#generated/types/router.js'
import type { BoundExecution, GongbuClient } from '../backends/gongbu/client.ts'
import {
  gongbuErrors,
  gongbuFailure,
  toToolError,
  type GongbuErrorCode,
  type GongbuFailure,
} from '../backends/gongbu/errors.ts'
import { toPublicArtifacts, toPublicExecution } from '../backends/gongbu/projection.ts'
import type { ExecutionOperations } from '../operations/execution-operations.ts'
import { localPrincipal } from '../operations/owners.ts'
import { type ToolResult, compactAnswer, gongbuErrorAnswer, textBlock } from '../answers/answer.ts'
import type { RelayedResult } from '../answers/relayed-result.ts'
import { relayObject } from '../answers/relay.ts'

/** So many executions of a principal are looked through for an artifact. */
const mostExecutions = 50

/** The three Gongbu reads. */
export interface GongbuReads {
  getExecution(executionId: string, principal: string, signal: AbortSignal): Promise<ToolResult | RelayedResult>
  listArtifacts(executionId: string, principal: string, signal: AbortSignal): Promise<ToolResult | RelayedResult>
  /** A picture arrives whole: its contract is the picture, and its bytes are never written to our disk. */
  getArtifact(artifactId: string, principal: string, signal: AbortSignal): Promise<ToolResult>
}

/** `operations` gives nothing while the registry is unavailable: then every read is unbound. */
export function createGongbuReads(
  gongbu: GongbuClient,
  operations: () => ExecutionOperations | undefined,
): GongbuReads {
  /** An artifact says nothing of its execution, so whoever has a name is looked for among the executions that are its own. */
  async function ownsArtifact(artifactId: string, principal: string, signal: AbortSignal): Promise<boolean> {
    if (principal === localPrincipal) return true
    for (const executionId of (await operations()?.executionsOf(principal, mostExecutions)) ?? []) {
      const reply = await gongbu.listArtifacts(executionId, { signal })
      if (reply.kind === 'artifacts' && reply.list.artifacts.some((one) => one.artifact_id === artifactId)) return true
    }
    return false
  }

  return {
    async getExecution(executionId, principal, signal) {
      const execution = operations()
      const known = await ownerFor(execution, executionId, principal)
      if (known === 'foreign') return gongbuRefusal('not_found')
      const operationKey = known?.operationKey ?? null
      const bound: BoundExecution | undefined = operationKey === null ? undefined : { operationKey, executionId }
      const reply = await gongbu.readExecution(executionId, bound, { signal })
      if (reply.kind !== 'execution') return failed(reply)
      const { status, outcome, execution_id: id } = reply.execution
      if (known) await execution?.recordRead(known.handle, { executionId: id, status, outcome })
      return relayObject(compactAnswer(toPublicExecution(reply.execution, known?.handle)))
    },
    async listArtifacts(executionId, principal, signal) {
      const known = await ownerFor(operations(), executionId, principal)
      if (known === 'foreign') return gongbuRefusal('not_found')
      const reply = await gongbu.listArtifacts(executionId, { signal })
      return reply.kind === 'artifacts' ? relayObject(compactAnswer(toPublicArtifacts(reply.list))) : failed(reply)
    },
    async getArtifact(artifactId, principal, signal) {
      if (!(await ownsArtifact(artifactId, principal, signal))) return gongbuRefusal('not_found')
      const reply = await gongbu.readArtifact(artifactId, { signal })
      if (reply.kind !== 'artifact') return failed(reply)
      const { bytes, mediaType } = reply
      const metadata = {
        schema_version: 1,
        artifact_id: artifactId,
        media_type: mediaType,
        size_bytes: bytes.length,
        sha256: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
        encoding: 'base64',
      }
      const image = { type: 'image' as const, data: bytes.toString('base64'), mimeType: mediaType }
      return { content: [textBlock(JSON.stringify(metadata)), image], isError: false }
    },
  }
}

/** The operation behind an execution. Whoever has a name reads only what an operation of its own is bound to. */
async function ownerFor(operations: ExecutionOperations | undefined, executionId: string, principal: string) {
  const known = await operations?.findByExecution(executionId, principal)
  return known ?? (principal === localPrincipal ? undefined : 'foreign')
}

/** The tool error for a code of ours, with what is wrong with the arguments. */
export function gongbuRefusal(code: GongbuErrorCode, violations: readonly Violation[] = []): ToolResult {
  const body = toToolError(gongbuFailure(code))
  const first = violations[0]
  if (first === undefined) return gongbuErrorAnswer(body)
  const where = first.path === '' ? 'the arguments' : first.path.slice(1).replaceAll('/', '.')
  const message = `${gongbuErrors[code].text} ${where}: ${first.message}.`
  return gongbuErrorAnswer({ ...body, error: { ...body.error, message, violations } })
}

function failed(reply: GongbuFailure | { kind: 'cancelled' }): ToolResult {
  return gongbuErrorAnswer(toToolError(reply.kind === 'error' ? reply : gongbuFailure('gongbu_unavailable')))
}
