// Pure: queries, read strictly.
import { StudioError } from './error-codes.ts'

/** How each member of a query is read: undefined for a text that it cannot be. */
export type QueryRules = Readonly<Record<string, (text: string) => unknown>>

/** What such rules give. */
export type QueryOf<Rules extends QueryRules> = {
  [Name in keyof Rules]?: Exclude<ReturnType<Rules[Name]>, undefined>
}

/** Throws StudioError for unknown, repeated and empty members, broken encodings and values that are none. */
export function readQuery<Rules extends QueryRules>(raw: string, rules: Rules): QueryOf<Rules> {
  const found = new Map<string, unknown>()
  for (const part of raw === '' ? [] : raw.split('&')) {
    const mark = part.indexOf('=')
    const name = mark < 0 ? part : part.slice(0, mark)
    const text = mark < 0 ? '' : decode(part.slice(mark + 1))
    if (!Object.hasOwn(rules, name) || found.has(name) || text === '') throw new StudioError('bad_request')
    const value = rules[name]!(text)
    if (value === undefined) throw new StudioError('bad_request')
    found.set(name, value)
  }
  return Object.fromEntries(found) as QueryOf<Rules>
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new StudioError('bad_request')
  }
}

/** A whole number within bounds. */
export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

/** One of these words. */
export const oneOf =
  <Word extends string>(...words: readonly Word[]) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text)

/** A text that fits a form. */
export const formed = (form: RegExp) => (text: string) => (form.test(text) ? text : undefined)

/** An instant of RFC 3339. */
export const instant = (text: string): Date | undefined => {
  const isFormed = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const ms = isFormed ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms)
}
