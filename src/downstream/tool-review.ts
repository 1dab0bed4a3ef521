// Tools whose definition is another one than the one that a person has accepted.
import type { AdmittedTool, ListedTool } from './admission/admit.ts'

/** Why a tool is not shown or called for now: it is another one than it was, or what it was cannot be known. */
export type HeldBecause = NonNullable<AdmittedTool['held']>

/** How a list is looked at. */
export interface ReviewOptions {
  /** Tools that have changed are held. */
  isHolding: boolean
  /** What was held may be free now: it should be listed and looked at again. */
  onFreed(): void
  /** The server is no longer mounted so. */
  signal: AbortSignal
}

/** Takes note of what a server lists; gives the tools that are held, by their own names. Never rejects. */
export type ReviewTools = (
  server: string,
  tools: readonly ListedTool[],
  options: ReviewOptions,
) => Promise<ReadonlyMap<string, HeldBecause>>

/** A held tool: its name, and nothing else of what its server says now. */
export function holdBack({ name }: ListedTool, held: HeldBecause): AdmittedTool {
  return { listed: { name }, held, shown: { kind: 'left_out', reason: 'it is held' }, leftOut: [] }
}

/** How a sentence names a tool; a name of another form is no word of ours. */
export const toolWords = (wireName: string): string => `tool ${quotedName(wireName)}`

/** A name of a server as a sentence of ours may hold it. */
export const quotedName = (name: string): string => (/^[\w.-]{1,64}$/.test(name) ? name : 'with an odd name')

const causes: Readonly<Record<HeldBecause, string>> = {
  changed: 'its definition has changed since it was accepted',
  unread:
    'whether its definition has changed cannot be known, because the record of definitions cannot be read or written',
}

/** Why a tool is held and what lets it be used again, in one sentence for agents and logs. */
export function heldReason(server: string, held: HeldBecause): string {
  const mend = {
    changed: `\`servers --changes\` shows the operator how, and \`servers accept ${server}\` lets it be used`,
    unread: 'HUBU_UNIFIED_ACTIVITY_PATH must name a writable place',
  }
  return `${causes[held]}; ${mend[held]}`
}
