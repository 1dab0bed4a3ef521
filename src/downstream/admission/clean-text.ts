// Pure: texts of servers without what a reader cannot see and a model may obey.
import { isObject } from '../../json/read.ts'

/** Control characters but line feed and tab, what turns the direction of writing, and the invisible tags. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

/** The text without them; CRLF is a line feed. */
export const withoutUnseen = (text: string): string => text.replace(/\r\n?/g, '\n').replace(unseen, '')

/** Nobody reads more of what a server says of its use, in characters. */
const mostOfInstructions = 16 * 1024

/** What a server says of its use, within bounds and without what a reader cannot see. */
export const cleanInstructions = (text = ''): string => withoutUnseen(text.slice(0, mostOfInstructions)).trim()

/** Members that are read by people and models. */
const texts = new Set(['title', 'description'])
/** Members that hold values and no texts. */
const values = new Set(['const', 'enum', 'default', 'examples'])

/** The same value when every title and description in it, at any depth, is clean already; else a copy in which they are. */
export function cleanTexts<T>(value: T): T {
  if (Array.isArray(value)) {
    const cleaned = value.map(cleanTexts)
    return (cleaned.every((item, index) => item === value[index]) ? value : cleaned) as T
  }
  if (!isObject(value)) return value
  let cleaned: Record<string, unknown> | undefined
  for (const [name, member] of Object.entries(value)) {
    if (values.has(name)) continue
    const made = texts.has(name) && typeof member === 'string' ? withoutUnseen(member) : cleanTexts(member)
    if (made !== member) (cleaned ??= { ...value })[name] = made
  }
  return (cleaned ?? value) as T
}
