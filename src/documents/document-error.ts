// How editing somebody else's file can fail.

/** Every reason for which a file is left as it is. */
export type DocumentErrorCode =
  /** The file is not valid in its format; the message names line and column. */
  | 'file_broken'
  /** The file is valid, but of a kind that is not edited: a link to nowhere, several names, too large. */
  | 'file_refused'
  /** The file system did not let us. */
  | 'file_unwritable'
  /** Another program kept writing the same file. */
  | 'file_busy'
  /** The edit could not be shown to change only what it should. */
  | 'proof_failed'

/** A refusal with a sentence for a person. Messages name paths and places in a file, never what the file says there. */
export class DocumentError extends Error {
  readonly code: DocumentErrorCode

  constructor(code: DocumentErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DocumentError'
    this.code = code
  }
}

/** Runs work on a file's content; a DocumentError of it gets the file's path in front of its message. */
export function namingFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new DocumentError(error.code, `${path}: ${error.message}`, { cause: error })
  }
}

/** The error for a file that changed each time it was to be replaced. */
export function alwaysChanged(path: string): DocumentError {
  return new DocumentError('file_busy', `another program is writing ${path}; it has what that program wrote`)
}
