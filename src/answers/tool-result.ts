import { printExact } from '../json/exact-integers.ts'

/** One block of a tool result. */
export type ContentBlock = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string }

/** A tool result as MCP wants it; absent members stay absent (R 2.7). */
export interface ToolResult {
  content: ContentBlock[]
  structuredContent?: unknown
  isError?: boolean
}

/** A Hubu success or the capability snapshot: pretty text and the same value again. */
export function prettyResult(value: unknown): ToolResult {
  return { content: [text(JSON.stringify(value, null, 2))], structuredContent: value }
}

/** An operation status: compact text, the same object again, and no error. */
export function statusResult(value: object): ToolResult {
  return { content: [text(JSON.stringify(value))], structuredContent: value, isError: false }
}

/** A Gongbu read: compact text only. */
export function compactResult(value: object): ToolResult {
  return { content: [text(printExact(value))], isError: false }
}

/** A Gongbu tool error: compact text only. */
export function errorResult(value: object): ToolResult {
  return { content: [text(JSON.stringify(value))], isError: true }
}

/** One text block. */
export function text(content: string): ContentBlock {
  return { type: 'text', text: content }
}
