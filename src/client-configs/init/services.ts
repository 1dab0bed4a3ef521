// What `init` and `sync` are given by the program around them.
import { type WriteStep } from '../../documents/replace-file.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { type Program, type ServerEntry } from '../entry/server-entry.ts'
import { type RegistryStamp, type StackContext } from '../stack/load-stack.ts'
import { type TriedEntry } from './report.ts'

/** What the program knows and this room must be told. */
export interface InitServices {
  program: Program
  /** Approval lists of the surface that a server with this configuration and agent will show. */
  approvalLists(configFile: string | undefined, agent: string | undefined): ApprovalLists
  /** The response budget of that configuration, in bytes, when one is set. */
  responseBudgetBytes?(configFile: string | undefined): number | undefined
  /** Starts a written entry once, as its client would, and says what came of it. */
  tryEntry?(entry: ServerEntry, cwd: string): Promise<TriedEntry>
  registry: RegistryStamp
  stack: Omit<StackContext, 'allowIncompatible'>
  now: Date
  onStep?: (step: WriteStep, file: string) => void
}
