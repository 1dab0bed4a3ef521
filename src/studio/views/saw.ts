// Pure: what an agent was answered, as a person may see it.
import { isObject } from '../../json/read.ts'
import { redactPrivateOperation } from '../../redaction/private-operation.ts'
import { quotedText } from '../../terminal/quoted-text.ts'
import type { Quoted } from './words.ts'

/** Private, or of nobody's use: inner ids, and what could be spent. */
const leftOut = new Set([
  ...['operation_key', 'rail_reference', 'task_id', 'owner_user_id', 'agent_account_id', 'actor', 'request_hash'],
  ...['installation_id', 'harness_call_id'],
])
const hiddenMembers = new Set(['auth_token_id', 'spend_auth_token_id'])

/** The stored result as indented text; null where none was stored. */
export function sawOf(resultJson: string | null): Quoted | null {
  if (resultJson === null) return null
  try {
    const value: unknown = redactPrivateOperation(JSON.parse(resultJson), '')
    return quotedText(JSON.stringify(cut(value), null, 2))
  } catch {
    return quotedText('It cannot be read.')
  }
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cut)
  if (!isObject(value)) return value
  const isInner = 'agent_account_id' in value
  const members = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    if (leftOut.has(name) || (isInner && name === 'agent_id')) return []
    return [[name, hiddenMembers.has(name) && item !== null ? '<hidden>' : cut(item)]]
  })
  return Object.fromEntries(members)
}
