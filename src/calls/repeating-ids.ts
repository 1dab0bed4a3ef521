// Pure: what is said where a client's call ids seem to begin again. The decision stays the same: no call id buys twice.
import { findTool } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import type { CallIdentity } from '../identity/call-identity.ts'
import { looksRepeating } from '../operations/guard/repeating-ids.ts'
import type { EarlierAnswer } from '../operations/spend-turn.ts'
import { metaToolName } from '../catalog/meta-tool-name.ts'

/** Null: the client named no call, and nothing of it can repeat. */
type CallId = Pick<CallIdentity, 'harnessCallId'> | null

const whatToDo =
  "Tell your user: this harness's call ids are not distinct. Whoever runs it must make it send another id with every call, for example " +
  'a UUID, or set HUBU_UNIFIED_IDENTITY=replace for it; a model cannot do it.'

/** What stands beside an earlier answer, where the call ids seem to repeat; undefined where they do not, or the answer is fresh. */
export function noteOnEarlier({ earlierAt, idsRepeat }: EarlierAnswer, identity: CallId): string | undefined {
  if (earlierAt === null || !(idsRepeat || seemsToRepeat(identity))) return undefined
  return (
    `This is the stored answer to an earlier call with the same call id, of ${earlierAt}. This delivery bought nothing. If it repeats ` +
    `that call, go on with the answer. If a new purchase was meant, it was not made. ${whatToDo}`
  )
}

/** A collision of ids that seem to repeat says so; every other error comes back as it is. */
export function explainCollision(error: unknown, identity: CallId): unknown {
  if (!(error instanceof RouterError) || error.code !== 'identity_collision') return error
  const idsRepeat = error.details.reason === 'ids_repeat'
  if (!idsRepeat && !seemsToRepeat(identity)) return error
  const why = idsRepeat
    ? 'Call ids of this client were used for two purchases before'
    : 'Ids of this form begin again with each turn'
  return new RouterError(
    'identity_collision',
    'This harness call identity already belongs to an earlier call with other arguments, so the router is refusing backend access: nothing was sent and ' +
      'nothing was bought. ' +
      `${why}, so this may well be a new purchase; delivering it again will not help. ${whatToDo}`,
    { data: { ...error.details, reason: 'ids_repeat' }, cause: error },
  )
}

/** Whether this error says that call ids repeat. */
export function tellsOfRepeatingIds(error: unknown): boolean {
  return error instanceof RouterError && error.details.reason === 'ids_repeat'
}

/** What the operator reads in the log, once for each client. */
export function repeatingIdsWarning(platform: string): string {
  return (
    `Call ids of ${platform} seem to repeat, so that a second purchase gets the answer of the first one or is refused. Make it send ` +
    'distinct ids, or set HUBU_UNIFIED_IDENTITY=replace for it.'
  )
}

function seemsToRepeat(identity: CallId): boolean {
  if (identity === null) return false
  return looksRepeating(
    identity.harnessCallId,
    (name) => findTool(name) !== undefined || metaToolName(name) !== undefined,
  )
}
