// How the lists look to a caller: the first digits of a hash over each, which a session id carries.
import { createHash } from 'node:crypto'
import { noFindings } from '../json/findings.ts'
import type { Caller, Core } from '../wire/request.ts'
import { clientOf } from './legacy/client.ts'
import type { Session } from './sessions/session-id.ts'

const methods = ['tools/list', 'prompts/list', 'resources/list'] as const
const digits = 16

/** Asks for the lists as this caller would, and hashes what comes; empty for a list that is not there. */
export async function listRevisions(core: Core, caller: Caller): Promise<Session['lists']> {
  const revisions = await Promise.all(methods.map((method) => revisionOf(core, caller, method)))
  return revisions as unknown as Session['lists']
}

async function revisionOf(core: Core, caller: Caller, method: string): Promise<string> {
  const answer = await core.answer({
    requestId: core.nextRequestId(),
    method,
    params: {},
    findings: noFindings,
    progressToken: undefined,
    caller,
    client: clientOf(undefined, undefined),
    signal: new AbortController().signal,
    port: { notify: () => {}, isFull: () => false },
  })
  return answer.kind === 'result' ? createHash('sha256').update(answer.json).digest('hex').slice(0, digits) : ''
}
