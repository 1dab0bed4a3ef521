// Messages of the modern revision: each says what it is, and its headers repeat it.
import type { IncomingRequest } from '../wire/incoming.ts'
import { readModernRequest, unsupportedVersion, hasClaim, modernRevisions } from '../wire/modern.ts'
import type { CoreAnswer } from '../wire/request.ts'
import { member } from '../json/read.ts'
import { errorBody } from './answers/respond.ts'
import type { AnswerRequest } from './answer-request.ts'
import type { HttpExchange } from './front/exchange.ts'
import { mismatchOf, says } from './front/mirrored.ts'
import { refusal, type EdgeRefusal } from './front/refusal.ts'
import type { Posted } from './post.ts'

type ErrorAnswer = CoreAnswer & { kind: 'error' }

/** Who answers what was understood. */
export interface ModernOptions {
  answerRequest: AnswerRequest
  onRefused(refusal: EdgeRefusal): void
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const badRequest = new Set([-32700, -32600, -32020, -32021, -32022])

/** The status of a request's own error. */
export function modernStatus(code: number | undefined): number {
  if (code === undefined) return 200
  if (code === -32601) return 404
  return badRequest.has(code) ? 400 : 200
}

/** Answers one request that makes a claim, or comes under a header that names no revision with a handshake. */
export function createAnswerModern({ answerRequest, onRefused }: ModernOptions) {
  return async (posted: Posted, request: IncomingRequest): Promise<void> => {
    const { exchange, takesStream } = posted
    const read = readModernRequest(request)
    const fault = faultOf(exchange, request, read)
    if (fault !== undefined) {
      if (fault.code === -32020) onRefused({ kind: 'refusal', status: 400, reason: 'header_mismatch' })
      return exchange.answer.whole(400, errorBody(request.rawId, fault))
    }
    if (read.kind === 'error') return
    const isHeldOpen = request.method === 'subscriptions/listen'
    if (isHeldOpen && !takesStream) return exchange.refuse(refusal(406, 'not_acceptable'))
    await answerRequest(posted, request, { client: read.client, statusOf: modernStatus, isHeldOpen })
  }
}

/** The first check that fails: the frame, the revision against its header, the rest of what it says of itself, the other headers. */
function faultOf(
  { fields }: HttpExchange,
  request: IncomingRequest,
  read: ReturnType<typeof readModernRequest>,
): ErrorAnswer | undefined {
  if (read.kind === 'error' && read.code === -32600) return read
  const claimed = member(member(request.params, '_meta'), versionKey)
  const header = fields['mcp-protocol-version']
  if (typeof claimed === 'string' && header !== undefined && !says(fields, 'mcp-protocol-version', claimed))
    return mismatch('MCP-Protocol-Version')
  if (read.kind === 'error') return read
  const name = header === undefined ? 'MCP-Protocol-Version' : mismatchOf(fields, request)
  return name === undefined ? undefined : mismatch(name)
}

function mismatch(name: string): ErrorAnswer {
  return {
    kind: 'error',
    code: -32020,
    message: `Header mismatch: ${name} must be there once and say what the body says.`,
  }
}

/** What is wrong with a notification that makes a claim; it has no id, and nothing else of it is looked at. */
export function notificationFault(params: unknown): ErrorAnswer | undefined {
  if (!hasClaim(params)) return undefined
  const claimed = member(member(params, '_meta'), versionKey)
  if (typeof claimed === 'string') return modernRevisions.includes(claimed) ? undefined : unsupportedVersion(claimed)
  return { kind: 'error', code: -32602, message: `Invalid params: ${versionKey} must be a text.` }
}
