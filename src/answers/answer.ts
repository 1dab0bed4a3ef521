// This room is what a call is answered with: blocks, results, refusals, and the one exit that decides how they leave.
import { printValue } from '../json/print-value.ts'
import type { JsonText } from './json-text.ts'

/** One block of a tool result. Sizes are in bytes. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; mimeType: string; size: number }

/** A tool result as MCP wants it; absent members stay absent. */
export interface ToolResult {
  content: ContentBlock[]
  structuredContent?: unknown
  isError?: boolean
  /** Tells it from a text. */
  readonly json?: undefined
}

/** What a call is answered with: a result, or the text of one, which the server splices into its response. */
export type Answer = ToolResult | JsonText

/** Where a result comes from. */
export interface Origin {
  /** `hubu`, `gongbu` or a mounted server. */
  readonly server: string
  /** The tool's name at its server. */
  readonly tool: string
  /** The tool's name in tools/list. */
  readonly namespaced: string
}

/** A value as a tool of ours answers it: indented text, and the value itself. */
export function dataAnswer(value: unknown): ToolResult {
  return { content: [textBlock(JSON.stringify(value, null, 2))], structuredContent: value }
}

/** An operation status: compact text, the same object again, and no error. */
export function statusAnswer(status: object): ToolResult {
  return { content: [textBlock(JSON.stringify(status))], structuredContent: status, isError: false }
}

/** What Gongbu told, as compact text only; long integers keep their digits. */
export function compactAnswer(value: object): ToolResult {
  return { content: [textBlock(printValue(value))], isError: false }
}

/** A tool error of ours: one text that says what is wrong, and what a program can read of it. */
export function errorAnswer(message: string, structuredContent?: object): ToolResult {
  return { content: [textBlock(message)], ...(structuredContent && { structuredContent }), isError: true }
}

/** A tool error of the Gongbu contract: its body as compact text only. */
export function gongbuErrorAnswer(body: object): ToolResult {
  return { content: [textBlock(JSON.stringify(body))], isError: true }
}

/** One text block. */
export function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

/** The text of an answer, as it is sent. */
export function jsonOf(answer: Answer): string {
  return answer.json ?? JSON.stringify(answer)
}
