// What `sync` and its neighbours are asked for, and what they are given by the program around them.
import { type WriteStep } from '../../documents/replace-file.ts'
import { type Program } from '../entry/server-entry.ts'
import { type ConnectionFlags } from '../init/find-backends.ts'
import { type InitServices } from '../init/services.ts'
import { type OutputFlags } from '../output.ts'
import { type SyncConfig } from './desired.ts'

/** The flags of `init` that `sync` takes besides its own. */
export interface EntryFlags extends ConnectionFlags {
  trustClientApproval?: boolean
  iKnowTheClientAsks?: boolean
  viaNpx?: boolean
  guardedIdentity?: boolean
  experimentalPins?: boolean
}

/** What was typed. */
export interface SyncOptions extends OutputFlags, EntryFlags {
  /** Agents to look at; none named means all. */
  agents?: string[]
  write?: boolean
  /** Show differences whole on a terminal too. */
  full?: boolean
  force?: boolean
  /** A plan id. */
  rollback?: string
  /** A plan id. */
  resume?: string
}

/** What the program knows and this room must be told. */
export interface SyncServices extends Pick<InitServices, 'approvalLists' | 'registry' | 'stack'> {
  program: Program
  config: SyncConfig
  /** The file that the configuration came from; entries of ours name it. */
  configFile?: string
  now: Date
  onStep?: (step: WriteStep, file: string) => void
}
