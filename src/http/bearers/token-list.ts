// Pure: the tokens that were given out, as their file holds them. It knows no token, only what each hashes to.
import { createHash } from 'node:crypto'
import { isObject } from '../../json/read.ts'
import { allRights } from './rights.ts'
import type { Right } from '../../wire/request.ts'

/** One token that was given out. */
export interface TokenEntry {
  /** 8 hex digits. */
  readonly id: string
  /** Of the whole token; 64 hex digits. */
  readonly sha256: string
  /** 1 to 64 of `A-Za-z0-9._@-`. */
  readonly principal: string
  /** An entry of `agents:`, which is all that it may see. */
  readonly agent?: string
  readonly rights: readonly Right[]
  readonly created_at: string
  /** Null: never. */
  readonly expires_at: string | null
  readonly label?: string
}

/** How a token hashes, wherever one is looked up. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Whether a text can name a principal. */
export function isPrincipalName(text: string): boolean {
  return /^[A-Za-z0-9._@-]{1,64}$/.test(text)
}

/** Whether a token is over; one whose time cannot be read is. */
export function isTokenOver({ expires_at }: Pick<TokenEntry, 'expires_at'>, nowMs: number): boolean {
  return expires_at !== null && !(Date.parse(expires_at) > nowMs)
}

/** The entries of a file; undefined for a text that is no such file as a whole. */
export function readTokenList(text: string): TokenEntry[] | undefined {
  const value = parse(text)
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.tokens)) return undefined
  const tokens = value.tokens as unknown[]
  return tokens.every(isEntry) ? tokens : undefined
}

/** The text of a file with these entries. */
export function writeTokenList(tokens: readonly TokenEntry[]): string {
  return `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`
}

function isEntry(value: unknown): value is TokenEntry {
  if (!isObject(value)) return false
  const { id, sha256, principal, agent, rights, created_at, expires_at, label } = value
  const isText = (text: unknown, form: RegExp) => typeof text === 'string' && form.test(text)
  return (
    isText(id, /^[0-9a-f]{8}$/) &&
    isText(sha256, /^[0-9a-f]{64}$/) &&
    typeof principal === 'string' &&
    isPrincipalName(principal) &&
    (agent === undefined || typeof agent === 'string') &&
    Array.isArray(rights) &&
    rights.length > 0 &&
    rights.every((right) => allRights.includes(right as Right)) &&
    typeof created_at === 'string' &&
    (expires_at === null || typeof expires_at === 'string') &&
    (label === undefined || typeof label === 'string')
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
