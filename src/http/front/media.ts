// Pure: which media a request brings and takes.
import { refusal, type EdgeRefusal } from './refusal.ts'

type Fields = Readonly<Record<string, readonly string[] | undefined>>

/** Whether the body is JSON as it is; undefined when it is. */
export function judgeContent(fields: Fields): EdgeRefusal | undefined {
  const types = fields['content-type'] ?? []
  const codings = fields['content-encoding'] ?? []
  const isPlain = codings.every((coding) => coding.trim().toLowerCase() === 'identity')
  const isJson = types.length === 1 && /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(types[0]!)
  return isPlain && isJson ? undefined : refusal(415, 'unsupported_media_type')
}

/** What the client takes. Who says nothing takes everything. */
export function accepts(fields: Fields): { json: boolean; stream: boolean } {
  const lines = fields.accept
  if (lines === undefined) return { json: true, stream: true }
  const ranges = lines.join(',').split(',').map(readRange)
  return { json: takes(ranges, 'application/json'), stream: takes(ranges, 'text/event-stream') }
}

/** One media range; a weight of zero excludes it. */
interface Range {
  name: string
  isExcluded: boolean
}

function readRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { name, isExcluded: parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter)) }
}

/** The most specific range that fits decides. */
function takes(ranges: readonly Range[], type: string): boolean {
  const candidates = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const candidate of candidates) {
    const range = ranges.find(({ name }) => name === candidate)
    if (range !== undefined) return !range.isExcluded
  }
  return false
}
