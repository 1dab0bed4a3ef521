// What a person does by hand in clients whose approvals cannot be written. Pure.
import { type ApprovalLists } from '../entry/approval-lists.ts'

/** A table for clients in which approvals are clicked. */
export function clickTable(title: string, lists: ApprovalLists): string[] {
  return [
    `In ${title}, choose "always allow" for these tools of hubu:`,
    ...lists.auto.map((tool) => `  ${tool}`),
    'and never for these, which the router refuses unless the client is trusted to ask a person:',
    ...lists.ask.map((tool) => `  ${tool}`),
  ]
}

/** A wildcard pattern, in which `*` stands for any text, as a test. */
export function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text)
}

/** True for values that gemini, Claude Code and others would expand. */
export function expandsDollar(value: string): boolean {
  return value.includes('$')
}
