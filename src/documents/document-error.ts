// How setting up a client can fail. The command layer turns the code into an exit code and the message into one line.

/** Every reason for which this room refuses, so that callers can decide on an exit code. */
export type ClientConfigErrorCode =
  /** The arguments cannot mean anything (exit 2). */
  | 'usage'
  /** A client's file is not valid in its format; the message names line and column (exit 1). */
  | 'file_broken'
  /** A client's file is valid, but of a kind that we do not edit: link to nowhere, several names, too large (exit 1). */
  | 'file_refused'
  /** The file system did not let us (exit 1). */
  | 'file_unwritable'
  /** Another program kept writing the same file (exit 1). */
  | 'file_busy'
  /** The edit could not be shown to change only what it should (exit 1). */
  | 'proof_failed'
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
 * them is what set-up is about (U 1.6); they never contain a token.
 */
export class ClientConfigError extends Error {
  readonly code: ClientConfigErrorCode
  /** What the command exits with: 2 when the arguments were wrong, 1 otherwise. */
  readonly exitCode: 1 | 2

  constructor(code: ClientConfigErrorCode, message: string, options: { cause?: unknown; exitCode?: 1 | 2 } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ClientConfigError'
    this.code = code
    this.exitCode = options.exitCode ?? (code === 'usage' ? 2 : 1)
  }
}
