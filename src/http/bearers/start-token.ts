// The token of a router that nobody configured callers for: in a file that only this user can read.
import { lstatSync, readFileSync } from 'node:fs'
import { writePrivateFile } from '../../documents/private-file.ts'

/** The file cannot be used: the router does not start. */
export class TokenFileRefused extends Error {
  override readonly name = 'ConfigError'
}

const form = /^hubu_[A-Za-z0-9_-]{43}$/

/** A new token: 32 random bytes behind a prefix that says whose it is. */
export function newToken(randomBytes: (count: number) => Buffer): string {
  return `hubu_${randomBytes(32).toString('base64url')}`
}

/**
 * The token in the file, made when the file is missing or a new one is wanted. Throws TokenFileRefused for a file that is no regular
 * file of this user, that others can read, or that holds something else.
 */
export function takeStartToken(
  file: string,
  { isNew, randomBytes }: { isNew: boolean; randomBytes: (count: number) => Buffer },
): string {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat !== undefined) {
    if (!stat.isFile()) throw new TokenFileRefused(`the token file ${file} is not a regular file`)
    if (process.platform !== 'win32') {
      if (stat.uid !== process.getuid?.()) throw new TokenFileRefused(`the token file ${file} belongs to another user`)
      if ((stat.mode & 0o077) !== 0)
        throw new TokenFileRefused(`the token file ${file} can be read by others; chmod 600 it, or name another one`)
    }
    if (!isNew) return readToken(file)
  }
  const token = newToken(randomBytes)
  writePrivateFile(file, `${token}\n`)
  return token
}

function readToken(file: string): string {
  const text = readFileSync(file, 'utf8').trim()
  if (form.test(text)) return text
  throw new TokenFileRefused(`the token file ${file} holds no token of this router; --new-token makes one`)
}
