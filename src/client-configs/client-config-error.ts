// How setting up a client can fail. The command layer turns the code into an exit code and the message into one line.
import { DocumentError } from '../documents/document-error.ts'

/** Every reason for which this room refuses, apart from files that cannot be read, edited or replaced. */
export type ClientConfigErrorCode =
  /** The arguments cannot mean anything (exit 2). */
  | 'usage'
  /** The entry of our name was made by somebody else (exit 1). */
  | 'foreign_entry'
  /** Several files could be meant (exit 1). */
  | 'file_ambiguous'
  /** Protected tools may not be trusted to this client as it is set up (exit 1 or 2, see `exitCode`). */
  | 'trust_refused'
  /** A stack profile, a token file or a program path cannot be used (exit 1). */
  | 'setup_refused'

/**
 * A refusal with a sentence for a person. Messages may name paths of client files and of token files, because choosing
 * them is what set-up is about; they never contain a token.
 */
export class ClientConfigError extends Error {
  readonly code: ClientConfigErrorCode
  /** What the command exits with: 2 when the arguments were wrong, 1 otherwise. */
  readonly exitCode: 1 | 2

  constructor(code: ClientConfigErrorCode, message: string, { exitCode }: { exitCode?: 1 | 2 } = {}) {
    super(message)
    this.name = 'ClientConfigError'
    this.code = code
    this.exitCode = exitCode ?? (code === 'usage' ? 2 : 1)
  }
}

/** True for an error whose message is meant for the person who ran the command. */
export function isRefusal(error: unknown): error is ClientConfigError | DocumentError {
  return error instanceof ClientConfigError || error instanceof DocumentError
}

/** What a command exits with after a refusal. */
export function exitCodeOf(error: ClientConfigError | DocumentError): 1 | 2 {
  return error instanceof ClientConfigError ? error.exitCode : 1
}
