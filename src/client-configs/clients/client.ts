// The port between set-up and a client: where its files are, how it writes a server, how it is told what to ask for.
import { type Edit } from '../../documents/edit.ts'
import { type DocumentFormat, type ParsedDocument } from '../../documents/format.ts'
import { type Path, type PlainObject } from '../../documents/tree.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { type Environment } from '../environment.ts'
import { type TrustObstacle } from './obstacle.ts'

/** Whose set-up is meant: the user's everywhere, the project's for all who work on it, or the user's in this project. */
export type SetupScope = 'user' | 'project' | 'local'

/**
 * What a client can be trusted with: `pinned` per-tool questions can be written; `native` asks by default and can
 * only be checked; `cannot` gives no reason to believe that it asks.
 */
export type ApprovalClass = 'pinned' | 'native' | 'cannot'

/** A server as a client's file describes it, in one form for all clients. */
export interface ServerDefinition {
  command?: string
  args?: string[]
  env?: Record<string, string>
  url?: string
  transport?: 'http' | 'sse'
}

/** How one client spells a server in its section. */
export interface EntryShape {
  /** The entry of a server; only keys that this shape models. */
  write(server: ServerDefinition): PlainObject
  /** The server of an entry; undefined for what is no server. */
  read(entry: unknown): ServerDefinition | undefined
  /** Keys that `write` may use. The user's other keys stay. */
  modelled: readonly string[]
}

/** Looks at a file of the client without changing it; undefined when there is none. Throws like `parseText`. */
export type Look = (path: string, format: DocumentFormat) => ParsedDocument | undefined

/** From what the approval profile is rendered. */
export interface ApprovalRequest {
  lists: ApprovalLists
  environment: Environment
  scope: SetupScope
  /** The file that gets the entry. */
  entryFile: string
  /** Where the entry is or will be in that file. */
  entryPath: Path
  look: Look
  /** Also write settings whose spelling is not certain. */
  experimentalPins: boolean
}

/** The approval profile in a client's own words. */
export interface Approvals {
  /** Keys of the entry itself. */
  entry?: PlainObject
  /** Keys of the entry that are only written when the user has not set them. */
  entryDefaults?: PlainObject
  /** Edits of the entry's file outside of the entry. */
  edits?: Edit[]
  /** Other files, to be written before the entry. */
  files?: RulesFile[]
  /** What a person has to do by hand, line by line. */
  manual?: string[]
  /** What a person should know: rules of theirs that we keep, questions that will come. */
  notes?: string[]
  /** Why protected tools cannot be trusted to this client as it is set up now; read only where trust is asked for. */
  trustObstacles?: () => TrustObstacle[]
}

/** Another file that approvals go into. */
export type RulesFile =
  | { kind: 'edits'; path: string; format: DocumentFormat; edits: Edit[] }
  /** A file that is ours alone. */
  | { kind: 'whole'; path: string; text: string }

/** One MCP client. */
export interface Client {
  /** The word after `init`. */
  name: string
  /** Other words for it. */
  aliases?: readonly string[]
  /** Its name for people. */
  title: string
  approval: { class: ApprovalClass; /** The client's own widest bypass, as a sentence. */ bypass: string }
  format: DocumentFormat
  /** Files that may hold the entry, the preferred one first; empty when the client has none for that scope. */
  files(environment: Environment, scope: SetupScope): string[]
  /** Where servers are in the file. */
  section(environment: Environment, scope: SetupScope): Path
  shape: EntryShape
  /** Keys that are written into a new entry and left alone afterwards: time-outs where the default is tight. */
  entryDefaults?: PlainObject
  /** True for a value that the client would not take literally. */
  expands?(value: string, platform: NodeJS.Platform): boolean
  /** How the client writes the user's home folder in a value that it expands. */
  homeReference?: string
  /** True for an entry of another program of ours, which may be taken over without asking. */
  adopts?(text: string, entryPath: Path): boolean
  /** The client cuts results behind about this many characters. */
  outputLimitChars?: number
  /** The client sends an id with each call that tells calls apart, so that it can spend. */
  sendsCallId?: boolean
  /** What a person has to do in the client itself before it starts our entry, as a sentence. */
  ownStep?(scope: SetupScope): string | undefined
  /** True when the client reads the list of tools once, at the start of a session. */
  freezesCatalog?: boolean
  approvals(request: ApprovalRequest): Approvals
  /**
   * A program instead of a file (Crush's `crushrc`): what to show when it is the place for our lines. Undefined when the
   * file is to be edited. Throws when both hold an entry of ours.
   */
  program?(request: ApprovalRequest & { server: ServerDefinition }): { path: string; lines: string[] } | undefined
}
