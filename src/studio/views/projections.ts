// Pure: what is taken out of Hubu's answers. Views are made by naming what goes in, so that nothing new slips through.
import { isObject } from '../../json/read.ts'
import { quotedLabel, quotedText } from '../../terminal/quoted-text.ts'
import { amountOf, digitsIn } from './amount.ts'
import type { AgentName, Amount, Instant, Quoted } from './words.ts'

/** A member of an object by its name; undefined for what is no object. */
export const memberIn = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** An id of Hubu's; a text that cannot be one is shown as what it is not. */
export const idIn = (value: unknown): string =>
  typeof value === 'string' && /^[\w:.-]{1,128}$/.test(value) ? value : 'unknown'

/** An instant in our form; undefined for anything else. */
export function instantIn(value: unknown): Instant | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** An amount in minor units; undefined when it has no exact digits. */
export function amountIn(minor: unknown, currency: unknown): Amount | undefined {
  const digits = digitsIn(minor)
  return digits === undefined ? undefined : amountOf(digits, textIn(currency) ?? 'usd')
}

/** What somebody called a thing of the catalog. */
export function displayNameIn(value: unknown): Quoted | null {
  const name = textIn(memberIn(value, 'display_name')) ?? textIn(memberIn(value, 'id'))
  return name === undefined ? null : quotedLabel(name)
}

/** A foreign text; null where there is none. */
export const quotedIn = (value: unknown): Quoted | null => (typeof value === 'string' ? quotedText(value) : null)

/** An agent with its name, where that is known. */
export function agentNamed(id: unknown, names: ReadonlyMap<string, string>): AgentName {
  const known = idIn(id)
  const name = names.get(known)
  return { id: known, name: name === undefined ? null : quotedLabel(name) }
}
