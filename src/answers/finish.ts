// The one exit of a call for what backends answered: within the budget it goes out as it is, above it is stored.
import type { Clock } from '../timing/clock.ts'
import { Pace } from '../timing/pace.ts'
import type { Answer, Origin, ToolResult } from './answer.ts'
import { JsonText } from './json-text.ts'
import type { Picture, RelayedResult } from './relayed-result.ts'

/** How large a result may be, and who keeps a larger one. */
export interface FinishOptions {
  /** The largest result that goes out as it is, in bytes; 0: any. */
  budgetBytes: number
  /** Pictures go out as pictures besides, while their base64 together is no longer, in bytes. */
  imageBudgetBytes: number
  /**
   * Stores a result and gives its receipt; undefined when that failed, and then the whole result goes out. Never rejects.
   */
  store(origin: Origin, result: RelayedResult, reader: AnswerReader): Promise<ToolResult | undefined>
  /** Long texts share the process by it. */
  clock: Pick<Clock, 'monotonicMs' | 'turn'>
}

/** Whoever will read the answer. */
export interface AnswerReader {
  /** Of MCP, as it speaks it; empty where that is not known. */
  readonly revision: string
  /** Whose what is stored of it will be. */
  readonly principal: string
}

/** The first revision of MCP that has structured content and resource links in tool results. */
const firstStructured = '2025-06-18'

/** A caller and its client, as far as answers go by them. */
export const readerOf = (source: { client: { revision: string }; caller: { principal: string } }): AnswerReader => ({
  revision: source.client.revision,
  principal: source.caller.principal,
})

/** Whether a client reads structured content, and follows links to resources. */
export const readsStructured = ({ revision }: Pick<AnswerReader, 'revision'>): boolean => revision >= firstStructured

/** Decides how a backend's success leaves. */
export type FinishCall = (origin: Origin, result: RelayedResult, reader: AnswerReader) => Promise<Answer>

/** Makes the finishing step of every relayed result. */
export function createFinishCall({ budgetBytes, imageBudgetBytes, store, clock }: FinishOptions): FinishCall {
  return async (origin, result, reader) => {
    const limitBytes = budgetBytes === 0 ? Number.POSITIVE_INFINITY : budgetBytes
    const json = await textOf(result, limitBytes, clock)
    if (json !== undefined) return new JsonText(json)
    const pictures = within(imageBudgetBytes, result.pictures ?? [])
    if (fitsWithout(pictures, result, limitBytes)) return new JsonText(result.whole ?? '')
    const receipt = await store(origin, result, reader)
    if (receipt === undefined) return new JsonText((await textOf(result, Number.POSITIVE_INFINITY, clock)) ?? '')
    return pictures.length === 0 ? receipt : { ...receipt, content: [...receipt.content, ...pictures] }
  }
}

/** The pictures that have room together, in order. */
function within(limitBytes: number, pictures: readonly Picture[]): Picture[] {
  let leftBytes = limitBytes
  return pictures.filter(({ data }) => {
    if (data.length > leftBytes) return false
    leftBytes -= data.length
    return true
  })
}

/** Whether everything else of a result fits the limit. */
function fitsWithout(pictures: readonly Picture[], { whole }: RelayedResult, limitBytes: number): boolean {
  if (whole === undefined || pictures.length === 0) return false
  return Buffer.byteLength(whole) - pictures.reduce((sum, { data }) => sum + data.length, 0) <= limitBytes
}

/** The text of a result; undefined when it is over the limit. */
async function textOf(
  { whole, pieces }: RelayedResult,
  limitBytes: number,
  clock: FinishOptions['clock'],
): Promise<string | undefined> {
  if (whole === undefined) return collect(pieces(), limitBytes, clock)
  // Fewer bytes than characters there never are, and a text that may have any length need not be measured.
  const isOver = whole.length > limitBytes || (limitBytes < Infinity && Buffer.byteLength(whole) > limitBytes)
  return isOver ? undefined : whole
}

/** The joined pieces; undefined as soon as they are over the limit. */
async function collect(
  pieces: Iterable<string>,
  limitBytes: number,
  clock: FinishOptions['clock'],
): Promise<string | undefined> {
  const parts: string[] = []
  let bytes = 0
  const pace = new Pace(clock)
  for (const piece of pieces) {
    parts.push(piece)
    bytes += Buffer.byteLength(piece)
    if (bytes > limitBytes) return undefined
    if (pace.isTurnOver) await pace.rest()
  }
  return parts.join('')
}
