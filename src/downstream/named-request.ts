// Pure: what a mounted server asks of the person or the model behind our client, as those may see it.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { mapStrings } from '../redaction/replace.ts'
import { cleanText, label } from '../terminal/foreign-text.ts'

type Params = Readonly<Record<string, unknown>>

/**
 * The request under its server's name, where it has one (`undefined`: its texts go out as they are), and without signs that hide others. What a form shows is cleaned; what it gives back (names
 * of members, values to choose from) cannot be, so a form with such signs there is refused. Throws McpError.
 */
export function underName(server: string | undefined, method: string, params: Params): Params {
  switch (method) {
    case 'elicitation/create':
      if (server === undefined) return cleanForm(params)
      return { ...cleanForm(params), message: `[${server}] ${label(textOf(params.message))}` }
    case 'sampling/createMessage': {
      const prompt = textOf(params.systemPrompt)
      const named = [...(server === undefined ? [] : [`[${server}]`]), ...(prompt === '' ? [] : [cleanText(prompt)])]
      return {
        ...params,
        messages: mapStrings(params.messages, cleanText),
        ...(named.length > 0 && { systemPrompt: named.join(' ') }),
      }
    }
    default:
      return params
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Members of a form that are only looked at. */
const shownMembers = ['message', 'title', 'description', 'enumNames']

function cleanForm(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      demandPlain(name),
      shownMembers.includes(name) ? mapStrings(value, (text) => label(text)) : cleanValue(value),
    ]),
  )
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return demandPlain(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  return typeof value === 'object' && value !== null ? cleanForm(value as Params) : value
}

function demandPlain(text: string): string {
  if (label(text) === text) return text
  throw new McpError(ErrorCode.InvalidParams, 'The form holds characters that a person cannot see.')
}
