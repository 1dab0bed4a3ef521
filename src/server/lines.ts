// The texts of lines that we write.
import { errorJson, type CoreAnswer } from '../wire/request.ts'

/** A notification; `paramsJson` is spliced as it is. */
export function notificationLine(method: string, paramsJson?: string): string {
  const params = paramsJson === undefined ? '' : `,"params":${paramsJson}`
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params}}`
}

/** The refusal of a message that no handler ever sees. */
export function refusalLine(rawId: string, error: Omit<CoreAnswer & { kind: 'error' }, 'kind'>): string {
  const { code, message, dataJson } = error
  const member = errorJson({ kind: 'error', code, message, ...(dataJson !== undefined && { dataJson }) })
  return `{"jsonrpc":"2.0","id":${rawId},"error":${member}}`
}
