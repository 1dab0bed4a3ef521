// JSON with and without comments: located and proven by jsonc-parser, edited by splices between its offsets.
import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { type Braces, type Bracketed, insertInBraces, removeFromBraces } from './braces.ts'
import { excerptOf } from './excerpt.ts'
import { type DocumentFormat, nest, type ParsedDocument } from './format.ts'
import { indentAt, indentUnit, lineEndAt } from './layout.ts'
import { renderJson } from './json-render.ts'
import { brokenAt } from './place.ts'
import { type Splice } from './splice.ts'
import { type ListNode, type Member, type ObjectNode, type Span, type TreeNode } from './tree.ts'

/** Strict JSON. */
export const json: DocumentFormat = jsonFormat('json')

/** JSON that may have comments and trailing commas. */
export const jsonc: DocumentFormat = jsonFormat('jsonc')

function jsonFormat(name: 'json' | 'jsonc'): DocumentFormat {
  const format: DocumentFormat = {
    name,
    parse: (text) => parse(text, name === 'jsonc'),
    parseLarge: (text) => parseLarge(text, name === 'jsonc'),
    insertMembers(document, { object, missing }, members) {
      if (isAbsent(object)) return [createRoot(document, nest(missing, members))]
      const at = bracketed(document, object, object.members)
      return insertInBraces(at, (layout) =>
        Object.entries(nest(missing, members)).map(
          ([key, value]) => `${JSON.stringify(key)}:${at.gap}${renderJson(value, layout)}`,
        ),
      )
    },
    insertItems(document, list, _path, items) {
      const at = bracketed(document, list, list.items)
      return insertInBraces(at, (layout) => items.map((item) => renderJson(item, layout)))
    },
    replaceValue(document, node, value) {
      const { text } = document
      const layout = isOnOneLine(text, document.root)
        ? ({ kind: 'inline', gap: colonGap(document) } as const)
        : ({
            kind: 'broken',
            indent: indentAt(text, node.start),
            unit: indentUnit(text),
            eol: lineEndAt(text, node.start),
          } as const)
      return [{ start: node.start, end: node.end, text: renderJson(value, layout) }]
    },
    removeMember(document, object, index) {
      return removeFromBraces(bracketed(document, object, object.members), [index])
    },
    removeItems(document, list, indexes) {
      return removeFromBraces(bracketed(document, list, list.items), indexes)
    },
  }
  return name === 'json' ? { ...format, readAgain: (text) => (text.trim() === '' ? {} : JSON.parse(text)) } : format
}

const optionsOf = (isLenient: boolean) => ({
  allowTrailingComma: isLenient,
  disallowComments: !isLenient,
  allowEmptyContent: true,
})

function parseLarge(text: string, isLenient: boolean): ParsedDocument {
  const excerpt = excerptOf(text, optionsOf(isLenient))
  if ('fault' in excerpt) throw brokenAt(text, excerpt.fault.offset, faults[excerpt.fault.error] ?? notJson)
  return { ...parse(excerpt.text, isLenient), cuts: excerpt.cuts }
}

const notJson = 'this is not valid JSON'

function parse(text: string, isLenient: boolean): ParsedDocument {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, optionsOf(isLenient))
  const error = errors[0]
  if (error !== undefined) throw brokenAt(text, error.offset, faults[error.error] ?? notJson)
  if (tree === undefined) return { text, root: { kind: 'object', start: 0, end: 0, members: [], form: absent } }
  const root = toNode(tree, text)
  if (root.kind !== 'object') throw brokenAt(text, root.start, 'the file must hold one JSON object')
  return { text, root }
}

const absent = { kind: 'absent' } as const

function isAbsent(object: ObjectNode): boolean {
  return object.form === absent
}

function toNode(node: Node, text: string): TreeNode {
  const span = { start: node.offset, end: node.offset + node.length }
  switch (node.type) {
    case 'object':
      return {
        kind: 'object',
        ...span,
        members: (node.children ?? []).map((child) => toMember(child, text)),
        form: 'braces',
      }
    case 'array':
      return {
        kind: 'list',
        ...span,
        items: (node.children ?? []).map((child) => toNode(child, text)),
        form: 'brackets',
      }
    default:
      return scalar(node.value as unknown, span, text)
  }
}

/** A number that JavaScript would spell otherwise is known by its source only. */
function scalar(value: unknown, span: Span, text: string): TreeNode {
  const source = text.slice(span.start, span.end)
  const isExact = typeof value !== 'number' || String(value) === source
  return { kind: 'scalar', ...span, source, value: isExact ? value : undefined }
}

function toMember(property: Node, text: string): Member {
  const [key, value] = property.children as [Node, Node]
  return {
    key: key.value as string,
    start: property.offset,
    end: property.offset + property.length,
    value: toNode(value, text),
  }
}

function bracketed(document: ParsedDocument, node: ObjectNode | ListNode, children: readonly Span[]): Bracketed {
  const { text } = document
  const braces: Braces = { open: node.start, close: node.end - 1 }
  const whenEmpty = isOnOneLine(text, document.root) ? 'inline' : 'broken'
  return { text, braces, children, comments: 'slashes', whenEmpty, gap: colonGap(document) }
}

/** A file whose only object stands on one line stays on one line; an empty one may grow. */
function isOnOneLine(text: string, root: ObjectNode): boolean {
  return root.members.length > 0 && !text.slice(root.start, root.end).includes('\n')
}

/** The space behind colons that the file's first member has. */
function colonGap({ text, root }: ParsedDocument): string {
  const first = root.members[0]
  if (first === undefined || !isOnOneLine(text, root)) return ' '
  return text[first.value.start - 1] === ':' ? '' : ' '
}

/** A file without any value gets its object at the end, behind the comments it may have. */
function createRoot({ text }: ParsedDocument, members: Parameters<typeof nest>[1]): Splice {
  const eol = lineEndAt(text, text.length)
  const lead = text === '' || text.endsWith('\n') ? '' : eol
  const body = renderJson(members, { kind: 'broken', indent: '', unit: '  ', eol })
  return { start: text.length, end: text.length, text: lead + body + eol }
}

const faults: Record<number, string> = {
  1: 'this word or sign is not JSON',
  2: 'this number is not JSON',
  3: 'a property name in double quotes is expected here',
  4: 'a value is expected here',
  5: 'a colon is expected here',
  6: 'a comma is expected here',
  7: 'a closing brace is missing',
  8: 'a closing bracket is missing',
  9: 'the file must end here',
  10: 'this file may not contain comments',
  11: 'the comment does not end',
  12: 'the string does not end',
  13: 'the number is not complete',
  14: 'the Unicode escape is not complete',
  15: 'this escape is not JSON',
  16: 'this character must be escaped in a string',
}
