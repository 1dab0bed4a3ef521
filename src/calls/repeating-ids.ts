// Pure: what is said where a client's call ids seem to begin again. The decision stays the same: no call id buys twice.
import { findTool } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import type { CallIdentity } from '../identity/call-identity.ts'
import { looksRepeating } from '../operations/guard/repeating-ids.ts'
import { metaToolName } from './meta-tool-name.ts'

/** Null: the client named no call, and nothing of it can repeat. */
type CallId = Pick<CallIdentity, 'harnessCallId'> | null

const whatToDo =
  "Tell your user: this harness's call ids are not distinct. Whoever runs it must make it send another id with every call, for example " +
  'a UUID; a model cannot do it.'

/**
 * What stands beside an answer that was stored at `earlierAt`, where the call ids seem to repeat; undefined where they do not, or
 * where the answer is fresh (`earlierAt` is null).
 */
export function noteOnEarlier(earlierAt: string | null, identity: CallId): string | undefined {
  if (earlierAt === null || !seemsToRepeat(identity)) return undefined
  return (
    `This is the stored answer to an earlier call with the same call id, of ${earlierAt}. This delivery bought nothing. If it repeats ` +
    `that call, go on with the answer. If a new purchase was meant, it was not made. ${whatToDo}`
  )
}

/** A collision of ids that seem to repeat says so; every other error comes back as it is. */
export function explainCollision(error: unknown, identity: CallId): unknown {
  if (!(error instanceof RouterError) || error.code !== 'identity_collision' || !seemsToRepeat(identity)) return error
  return new RouterError(
    'identity_collision',
    'This harness call identity already belongs to an earlier call with other arguments, so nothing was sent and nothing was bought. ' +
      `Ids of this form begin again with each turn, so this may well be a new purchase; delivering it again will not help. ${whatToDo}`,
    { data: { ...error.details, reason: 'ids_repeat' }, cause: error },
  )
}

function seemsToRepeat(identity: CallId): boolean {
  if (identity === null) return false
  return looksRepeating(
    identity.harnessCallId,
    (name) => findTool(name) !== undefined || metaToolName(name) !== undefined,
  )
}
