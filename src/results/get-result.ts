// Answers get_result: a page of a stored result, or places in it.
import type { Clock } from '../timing/clock.ts'
import type { CursorOutOfRangePage, UnavailablePage } from '#generated/types/router.js'
import type { GetResultArguments } from '#generated/types/meta-tools.js'
import { metaToolValidators, type Issue } from '#generated/validators/meta-tools.js'
import { type ToolResult, dataAnswer, errorAnswer } from '../answers/answer.ts'
import type { Findings } from '../json/findings.ts'
import { findText } from './find.ts'
import { Pace } from '../timing/pace.ts'
import { pageReadBytes, toPage } from './page.ts'
import { showPicture } from './show-picture.ts'
import { chunkBytes } from './chunker.ts'
import type { ResultsFile } from './results-file.ts'
import type { StoredResult } from './statements.ts'
import { faultInWords, StoreFailure } from './store-failure.ts'
import { readBytes } from './stored-bytes.ts'

/** The file that results are read from, and how much of one may go out, to whom. */
export interface GetResultOptions {
  file: ResultsFile
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'turn'>
  /** 0: no limit. */
  budgetBytes: number
  /** Whose results can be read. */
  principal: string
  /** Whether the client may see results of this tool. */
  isInScope(server: string, tool: string): boolean
}

/** The first check that fails answers; every refusal is a tool result, never an exception. */
export async function getResult(options: GetResultOptions, args: object, findings: Findings): Promise<ToolResult> {
  const refusal = refuse(args, findings)
  if (refusal !== undefined) return errorAnswer(`get_result: ${refusal}`)
  const asked = args as GetResultArguments
  try {
    return await answer(options, { ...asked, cursor: asked.cursor ?? 0 })
  } catch (error) {
    return errorAnswer(`get_result: ${faultInWords(StoreFailure.from(error).fault)} Try again later.`)
  }
}

type AskedPage = GetResultArguments & { cursor: number }

async function answer(options: GetResultOptions, asked: AskedPage): Promise<ToolResult> {
  const { file, budgetBytes } = options
  const { callId, cursor } = asked
  const encoding = asked.encoding === 'utf8' ? 'utf8' : 'base64'
  const found = await file.read((statements) => {
    const result = statements.find(callId, options.clock.nowMs(), options.principal)
    if (result === undefined) return undefined
    const isInside = asked.encoding === 'image' || cursor <= result.totalBytes
    return { result, bytes: isInside ? readBytes(statements, result, cursor, pageReadBytes(budgetBytes)) : undefined }
  })
  if (found === undefined) return unavailable(callId)
  const { result, bytes } = found
  if (!options.isInScope(result.server, result.tool)) {
    return errorAnswer('get_result: this result is out of scope: it comes from a tool that this agent may not use.')
  }
  if (bytes === undefined) return outOfRange(asked, result)
  if (asked.encoding === 'image') return showPicture(asked, result, (count) => readUpTo(options, result, count))
  if (asked.find !== undefined) return search(options, asked, result, asked.find)
  return (
    toPage({ result, cursor, encoding, budgetBytes }, bytes) ??
    errorAnswer('get_result: cursor stands inside a character. Use a nextCursor of a utf8 page, or encoding base64.')
  )
}

async function search(options: GetResultOptions, asked: AskedPage, result: StoredResult, text: string) {
  const { file, budgetBytes, clock } = options
  const pace = new Pace(clock)
  return findText({ result, text, cursor: asked.cursor, budgetBytes }, async (from, count) => {
    if (pace.isTurnOver) await pace.rest()
    const bytes = await file.read((statements) => readBytes(statements, result, from, count))
    if (bytes === undefined) throw new StoreFailure('gone')
    return bytes
  })
}

/** The first bytes of a result, read in steps. */
async function readUpTo({ file, clock }: GetResultOptions, result: StoredResult, count: number): Promise<Buffer> {
  const pace = new Pace(clock)
  const parts: Buffer[] = []
  for (let at = 0; at < count; at += chunkBytes) {
    if (pace.isTurnOver) await pace.rest()
    const part = await file.read((statements) => readBytes(statements, result, at, Math.min(chunkBytes, count - at)))
    if (part === undefined) throw new StoreFailure('gone')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Unknown and expired are the same, word for word. */
function unavailable(callId: string): ToolResult {
  const page: UnavailablePage = {
    status: 'unavailable',
    reason: 'No result is stored under this callId. Results are kept for 24 hours; call the original tool again.',
    callId,
  }
  return dataAnswer(page)
}

function outOfRange({ callId, cursor }: AskedPage, { totalBytes }: StoredResult): ToolResult {
  const page: CursorOutOfRangePage = {
    status: 'cursor_out_of_range',
    reason: `The result ends at ${totalBytes}. Begin at 0 or use a nextCursor.`,
    callId,
    cursor,
    totalBytes,
  }
  return dataAnswer(page)
}

/** What is wrong with the arguments, without their values; undefined when they can be used. */
function refuse(args: object, findings: Findings): string | undefined {
  if (findings.duplicateKey) return 'an argument is given twice; give each once.'
  if (findings.protoKey) return 'an argument named __proto__ is not accepted.'
  if (!metaToolValidators.get_result(args)) return inSentence(metaToolValidators.get_result.errors ?? [])
  if (args.callId.trim() === '') return 'callId is blank; give the callId of a receipt.'
  if (findings.inexactNumber) return 'cursor must be an integer up to 9007199254740991.'
  if (args.cursor !== undefined && args.cursor < 0) return 'cursor must be nonnegative; begin at 0.'
  return undefined
}

function inSentence([first]: readonly Issue[]): string {
  const name = first?.instancePath.slice(1) ?? ''
  switch (first?.keyword) {
    case 'required':
      return `${String(first.params.missingProperty)} is required.`
    case 'additionalProperties':
      return 'only callId, cursor, encoding and find are accepted.'
    case 'enum':
      return `${name} must be one of ${JSON.stringify(first.params.allowedValues)}.`
    default:
      return `${name} ${first?.message ?? 'is not valid'}.`
  }
}
