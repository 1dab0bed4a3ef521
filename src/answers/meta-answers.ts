import type { ToolResult } from './tool-result.ts'
import { prettyResult, text } from './tool-result.ts'

/** A value as a meta-tool answers it: indented text, and the value itself (M 3.1). */
export function dataResult(value: object): ToolResult {
  return prettyResult(value)
}

/** A refusal of the gateway: one text that says what is wrong (M 3.1). */
export function errorResult(message: string, structuredContent?: object): ToolResult {
  return { content: [text(message)], ...(structuredContent && { structuredContent }), isError: true }
}
