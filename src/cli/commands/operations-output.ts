// What the commands about operations have in common: their flags, where they write, and the sentences of a registry that cannot be read.
import type { MoneyCheck } from '#generated/types/router.js'
import type { KnownIds } from '../../operations/find/check.ts'
import type { MoneyAnswer } from '../../operations/money.ts'
import type { OperationView } from '../../operations/operation-view.ts'
import type { Unreadable } from '../../operations/read-registry.ts'
import { plainAppearance, type Appearance } from '../../terminal/appearance.ts'

/** What every command takes. */
export interface OperationsFlags {
  statePath?: string
  json?: boolean
  /** Tables with whole handles and times, whatever the width is. */
  full?: boolean
}

/** Asks the backends about operations, and ends; given where `--check` was. */
export interface MoneyAsker {
  ask(ours: MoneyAnswer, ids: KnownIds): Promise<MoneyCheck>
  close(): Promise<void>
}

/** Where the operations are, and who may be asked about them. */
export interface OperationsSource {
  statePath: string | undefined
  now: Date
  backends?: MoneyAsker | undefined
}

/** Where the commands write. */
export interface OperationsStreams {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** How texts on stdout may look; plain when missing. */
  look?: Appearance
}

/** How a table of these flags looks. */
export function lookOf({ look = plainAppearance }: OperationsStreams, { full }: OperationsFlags): Appearance {
  return full === true ? { ...look, isTerminal: false } : look
}

/** The states that an operation can be in. */
export const states: readonly OperationView['state'][] = [
  ...(['awaiting_hubu_result', 'approval_required', 'authorized'] as const),
  ...(['accepted', 'queued', 'dispatching', 'reconciling', 'succeeded', 'failed'] as const),
]

/** Why a registry cannot be read, and what helps. */
export const sentences: Record<Unreadable, string> = {
  not_configured: 'No registry is configured. Set HUBU_UNIFIED_OPERATION_STATE_PATH, or give --state-path FILE.',
  not_absolute: 'The path of the registry must be absolute.',
  missing: 'The registry file does not exist yet. A router makes it when it starts.',
  not_a_registry: 'The file is not a registry of this release.',
  busy: 'The registry is locked by another program. Try again.',
  unreadable: 'The registry file cannot be read. It may be damaged, or you may not have the right to read it.',
}

/** Writes a text; success. */
export function print({ stdout }: OperationsStreams, text: string): number {
  stdout.write(text)
  return 0
}

/** Says what went wrong; the given exit code. */
export function fail({ stderr }: OperationsStreams, message: string, code: number): number {
  stderr.write(`hubu-unified-mcp: ${message}\n`)
  return code
}
