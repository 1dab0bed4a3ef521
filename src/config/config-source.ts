// A changed config file becomes settings, or a reason in the log why the former ones stay.
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isConfigError } from './config-error.ts'
import { keysForRestart, type FileSettings } from './file-settings.ts'

/** The config file that this process was started with. */
export interface ConfigSource {
  readonly path: string
  /** What the file's bytes mean under the same flags and environment. Throws ConfigError, as at the start. */
  read(bytes: Uint8Array): FileSettings
}

/** The file that is followed, and what happens when it changes. */
export interface FollowOptions {
  source: ConfigSource
  /** What counts since the start. */
  started: FileSettings
  /** Other settings count now. */
  apply(settings: FileSettings): void
  /** One sentence for the log. */
  warn(message: string): void
}

/**
 * Takes the file's bytes after each change, undefined while it cannot be read. What is not a whole valid file changes nothing
 * and is told once; so are the keys that count from the next start on.
 */
export function followConfig({ source, started, apply, warn }: FollowOptions): (bytes: Uint8Array | undefined) => void {
  let present = started
  let seen: Uint8Array | undefined
  let isTold = false
  let toldKeys = ''

  /** Undefined, and told, when the file cannot be used. */
  function read(bytes: Uint8Array): FileSettings | undefined {
    try {
      return source.read(bytes)
    } catch (error) {
      const reason = isConfigError(error) ? error.message : 'it cannot be read'
      const named = reason.replaceAll(source.path, path.basename(source.path))
      warn(`The changed config file is not used, and the former configuration stays: ${named}`)
      return undefined
    }
  }

  return (bytes) => {
    // A file that is being replaced may stand empty for a while.
    if (bytes === undefined || Buffer.from(bytes).toString('latin1').trim() === '') {
      if (!isTold) warn('The config file is missing, empty or cannot be read; the former configuration stays.')
      isTold = true
      return
    }
    isTold = false
    if (seen !== undefined && Buffer.compare(seen, bytes) === 0) return
    seen = bytes
    const settings = read(bytes)
    if (settings === undefined || isDeepStrictEqual(said(settings), said(present))) return
    present = settings
    const keys = keysForRestart(started, settings).join(' and ')
    if (keys !== '' && keys !== toldKeys) warn(`The config file has changed; ${keys} will count after a restart.`)
    toldKeys = keys
    apply(settings)
  }
}

/** What the file says; everything else stays as it was at the start. */
const said = ({ expose, gateway, agent }: FileSettings) => [expose, gateway, agent]
