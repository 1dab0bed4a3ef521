import type { ToolName } from '../../../generated/ownership.js'
import type { Canned } from '../../support/stub-backend.ts'
import type { Answers, Given, Step } from './world.ts'

/** The three kinds of evidence that every tool must have. */
export type CaseKind = 'success' | 'backend-error' | 'rejection'

/** One golden case: what is given, what happens, in one sentence what it shows. */
export interface CallCase {
  tool: ToolName
  kind: CaseKind
  /** Tells several cases of one kind apart; becomes part of the file's name. */
  variant?: string
  says: string
  given?: Partial<Given>
  steps: Step[]
}

/** Everything is up and allowed; a case says what is different. */
export const usual: Given = {
  hubu: 'available',
  gongbu: 'available',
  registry: 'available',
  clientApproval: 'trusted',
  reconciliation: 'configured',
}

/** The file of a case below golden/. */
export function fileOf({ tool, kind, variant }: CallCase): string {
  return `calls/${tool}/${kind}${variant === undefined ? '' : `.${variant}`}.json`
}

/** A call of a tool, with what the backends answer to it. */
export function call(name: ToolName, args: object | undefined, answers?: Answers, meta?: unknown): Step {
  const params = { name, ...(args && { arguments: args }), ...(meta !== undefined && { _meta: meta }) }
  return { kind: 'call', params, ...(answers && { answers }) }
}

/** A complete JSON answer. */
export const json = (body: unknown, status = 200): Canned => ({ status, json: body })
