// The key that seals session ids: every process on one registry has the same.
import { hkdfSync } from 'node:crypto'
import { statSync } from 'node:fs'
import { isCode } from '../../documents/document-file.ts'
import { placeHexSecret, readHexSecret } from '../../storage/hex-secret.ts'

/** Where a key comes from. */
export interface SessionKeyOptions {
  /** The registry file; undefined where none is configured. */
  statePath: string | undefined
  /** Whether the registry is open. One that is not may be another one's by mistake. */
  isRegistryOpen(): boolean
  /** What the configuration gives replicas without a registry to share. */
  sharedKey: Buffer | undefined
  /** 32 hex digits. */
  randomHex(): string
}

/** Where the key beside a registry lies. */
export function sessionKeyPath(statePath: string): string {
  return `${statePath}.session-key`
}

/** Gives the key, 32 bytes; undefined while a configured registry cannot be read or its key is unsafe. */
export function createSessionKey(options: SessionKeyOptions): () => Buffer | undefined {
  const { statePath, sharedKey, randomHex } = options
  let key: Buffer | undefined
  if (statePath === undefined)
    key = sharedKey === undefined ? Buffer.from(randomHex() + randomHex(), 'hex') : derived(sharedKey)
  return () => {
    if (key === undefined && options.isRegistryOpen()) key = takeKey(sessionKeyPath(statePath!), randomHex)
    return key
  }
}

function derived(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'hubu-session:v1', 32))
}

/** Two processes that start at once agree on the one whose file was there first. */
function takeKey(file: string, randomHex: () => string): Buffer | undefined {
  try {
    return readSafe(file) ?? placeHexSecret(file, randomHex)
  } catch (error) {
    return isCode(error, 'EEXIST') ? readSafe(file) : undefined
  }
}

function readSafe(file: string): Buffer | undefined {
  const found = readHexSecret(file)
  if (found === undefined) return undefined
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  if (found === 'unreadable' || isOpen) throw new Error('unsafe key file')
  return found
}
