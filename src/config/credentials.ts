import { NoPlainFile, readPlainFile } from '../documents/plain-file.ts'
import { Secret, type ReconciliationCapability } from '../redaction/secret.ts'
import { ConfigError } from './config-error.ts'
import { isBlank } from './environment.ts'

/** What may stand in an HTTP header value. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]+$/
/** Of a file that holds one token. */
const mostBytes = 64 * 1024

/**
 * One backend's bearer: the direct text as it is, else the trimmed content of the file; undefined when neither is given.
 * A file that is named but unusable stops start-up. Throws ConfigError, which names the backend and never the path.
 */
export function readBearer(backend: string, direct: string | undefined, file: string | undefined): Secret | undefined {
  if (!isBlank(direct)) return toBearer(backend, direct)
  if (file === undefined || file === '') return undefined
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    const why = error instanceof NoPlainFile ? error.message : 'cannot be read'
    throw new ConfigError(`the ${backend} token file ${why}; check the file that its setting names`)
  }
  if (isBlank(text)) throw new ConfigError(`the ${backend} token file is blank; it must hold the bearer token`)
  return toBearer(backend, text.trim())
}

function toBearer(backend: string, text: string): Secret {
  if (!headerValue.test(text))
    throw new ConfigError(`the ${backend} token holds characters that no HTTP header can carry`)
  return new Secret(text)
}

/** Where the capability for reconciliation comes from; the file is read at each call, never at start. */
export interface ReconciliationSettings {
  /** Set, even if blank: then the file is never used. */
  readonly direct: Secret | undefined
  readonly file: string
}

/** Resolves the reconciliation capability now. Blank is invalid, an absent file is missing. */
export function readReconciliationCapability(settings: ReconciliationSettings): ReconciliationCapability {
  if (settings.direct !== undefined) return toCapability(settings.direct.reveal(), false)
  let text: string
  try {
    text = readText(settings.file)
  } catch (error) {
    return { kind: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'invalid' }
  }
  return toCapability(text, true)
}

function toCapability(text: string, isFile: boolean): ReconciliationCapability {
  const value = isFile ? text.trim() : text
  return isBlank(value) || !headerValue.test(value)
    ? { kind: 'invalid' }
    : { kind: 'capability', secret: new Secret(value) }
}

const readText = (file: string): string => readPlainFile(file, mostBytes).toString('utf8')
