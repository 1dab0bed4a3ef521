// The file of tokens on the disk: read safely, and changed under a lock by the commands.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { isCode } from '../../documents/document-file.ts'
import { writePrivateFile } from '../../documents/private-file.ts'
import { TokenFileRefused } from './start-token.ts'
import { readTokenList, writeTokenList, type TokenEntry } from './token-list.ts'

/** A lock this old was left by a process that is gone. */
const staleLockMs = 10_000

/** The entries of the file. Throws TokenFileRefused when it is missing, no such file, or others could write it. */
export function loadTokens(file: string): TokenEntry[] {
  const tokens = readTokens(file)
  if (tokens === undefined) throw new TokenFileRefused(`the file of tokens ${file} does not exist; token add makes it`)
  return tokens
}

/** The entries of the file, undefined where there is none. Throws TokenFileRefused. */
export function readTokens(file: string): TokenEntry[] | undefined {
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw new TokenFileRefused(`the file of tokens ${file} is not a regular file`)
    if (process.platform !== 'win32' && (stat.mode & 0o022) !== 0)
      throw new TokenFileRefused(`the file of tokens ${file} can be written by others; chmod 600 it`)
    const tokens = readTokenList(readFileSync(file, 'utf8'))
    if (tokens === undefined) throw new TokenFileRefused(`the file of tokens ${file} holds something else`)
    return tokens
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    if (error instanceof TokenFileRefused) throw error
    throw new TokenFileRefused(`the file of tokens ${file} cannot be read`)
  }
}

/** Replaces the entries in one step while nobody else does. Throws TokenFileRefused, and what writing throws. */
export function changeTokens(file: string, nowMs: number, change: (tokens: TokenEntry[]) => TokenEntry[]): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const unlock = lock(`${file}.lock`, nowMs)
  try {
    writePrivateFile(file, writeTokenList(change(readTokens(file) ?? [])))
  } finally {
    unlock()
  }
}

function lock(file: string, nowMs: number): () => void {
  for (let attempt = 0; ; attempt++) {
    try {
      closeSync(openSync(file, 'wx', 0o600))
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
      const held = statSync(file, { throwIfNoEntry: false })
      if (held !== undefined && nowMs - held.mtimeMs > staleLockMs) rmSync(file, { force: true })
      else if (attempt > 50) throw new TokenFileRefused(`${file} is held by another command; try again`)
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}
