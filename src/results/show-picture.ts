// A picture of a stored result, given back as one.
import { errorAnswer, textBlock, type ToolResult } from '../answers/answer.ts'
import { picturesOf } from '../answers/relay.ts'
import type { StoredResult } from './statements.ts'

/** Larger results are not read at once. */
const resultLimitBytes = 64 * 1024 * 1024

/** The picture with the number `cursor` as an image block, and how many there are. Rejects as `read` does. */
export async function showPicture(
  { callId, cursor }: { callId: string; cursor: number },
  { totalBytes }: StoredResult,
  read: (count: number) => Promise<Buffer>,
): Promise<ToolResult> {
  if (totalBytes > resultLimitBytes)
    return refusal(`the result has ${totalBytes} bytes, which is too much to look through.`)
  const pictures = picturesOf(JSON.parse((await read(totalBytes)).toString('utf8')) as object)
  const picture = pictures[cursor]
  if (pictures.length === 0)
    return refusal('this result holds no picture that could be shown. Read it with another encoding.')
  if (picture === undefined) return refusal(`this result holds pictures 0 to ${pictures.length - 1}; give cursor so.`)
  return { content: [textBlock(`Picture ${cursor} (of ${pictures.length}) of result ${callId}:`), picture] }
}

/** What helps where nothing can be shown: a person can. */
function refusal(why: string): ToolResult {
  return errorAnswer(`get_result: ${why} The operator can extract it with \`results get\`.`)
}
