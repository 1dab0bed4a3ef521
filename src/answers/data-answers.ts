import type { AnswerResult } from './relayed-result.ts'

/** A value as a meta-tool answers it: indented text, and the value itself (M 3.1). */
export function dataAnswer(value: object): AnswerResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value }
}

/** A refusal of a meta-tool: one text that says what is wrong (M 3.1). */
export function errorAnswer(message: string): AnswerResult {
  return { content: [{ type: 'text', text: message }], isError: true }
}
