// Pure: what SQLite can tell of a query by itself, so that few rows are compared one by one. It lets through at least what fits.
import type { FindQuery } from './query.ts'
import { ascii } from './words.ts'

/** A condition on `h`, the rows, `f`, their facts, and `j`, their first entries, with its values. */
export interface Condition {
  sql: string
  values: readonly unknown[]
}

/** What the last try asked for, as the stored result tells it: what a person decided about, or else the newest attempt. */
export const toldByResult = (member: string): string =>
  `coalesce(h.result_json ->> '$.approval.review.${member}', h.result_json ->> '$.attempt_history[#-1].request.${member}')`

/** The amount of a row; null where nobody wrote it down. */
export const amountSql = (hasJournal: boolean): string =>
  hasJournal
    ? `case when f.no is null then ${toldByResult('amount_cents')} else f.amount_minor end`
    : toldByResult('amount_cents')

/** Most operations of a large registry are paid, and whoever asks for another answer asks for few of the rest. */
const notPaidSql = `operation_state is not 'succeeded' and (tool_name = 'hubu_authorize_spend'
  or coalesce(result_json ->> '$.payment.status', '') <> 'succeeded')`

/** A word of Latin letters stands in a text of nothing but ASCII to the letter; other texts are compared one by one. */
function wordSql(word: string): string {
  const isThere = ascii.test(word) ? `cast(j.opening as text) like '%${word}%' or ` : ''
  return `(j.opening is null or ${isThere}length(cast(j.opening as text)) <> length(j.opening))`
}

/** Undefined when every row has to be compared. */
export function narrowed(query: FindQuery, hasJournal: boolean): Condition | undefined {
  const { digits, handles, since, until, tool, answer, state, cents, principal, client, words } = query
  const conditions: [string, ...unknown[]][] = []
  const start = `hubu:public-operation:v1:${digits}`
  if (handles !== undefined)
    conditions.push(['h.operation_handle in (select value from json_each(?))', JSON.stringify([...handles])])
  // Every digit stands before `g`.
  if (digits !== undefined) conditions.push(['h.operation_handle >= ? and h.operation_handle < ?', start, `${start}g`])
  if (since !== undefined) conditions.push(['h.created_at >= ?', since.toISOString()])
  if (until !== undefined) conditions.push(['h.created_at <= ?', until.toISOString()])
  if (tool !== undefined) conditions.push(['h.tool_name = ?', tool])
  if (cents !== undefined)
    conditions.push([`coalesce(${amountSql(hasJournal)} between ? and ?, true)`, cents.from, cents.to])
  if (answer === 'waiting') conditions.push(["decision = 'needs_approval'"])
  if (answer === 'refused') conditions.push(["(decision = 'deny' or operation_result_code = 'spend_refused')"])
  if ((answer ?? 'paid') !== 'paid' || (state ?? 'succeeded') !== 'succeeded') conditions.push([notPaidSql])
  if (hasJournal) {
    if (principal !== undefined) conditions.push(['(f.no is null or f.principal = ?)', principal])
    if (client !== undefined) conditions.push(['(f.no is null or f.client = ? or h.platform = ?)', client, client])
    for (const word of words ?? []) conditions.push([wordSql(word)])
  }
  if (conditions.length === 0) return undefined
  return {
    sql: conditions.map(([sql]) => sql).join(' and '),
    values: conditions.flatMap(([, ...values]) => values),
  }
}
