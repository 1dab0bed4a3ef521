// TOML: located by toml-eslint-parser, proven by smol-toml as well, edited by splices between the first one's ranges.
// New tables come as headers at the end of the file or behind their own entry; inline and dotted forms are edited in
// place, because a header beside them would declare the table twice.
import { parse as parseStrictly, TomlError } from 'smol-toml'
import { DocumentError } from './document-error.ts'
import { hashBracketed, insertInBraces, removeFromBraces } from './braces.ts'
import { type DocumentFormat, type Insertion, nest, type ParsedDocument } from './format.ts'
import { indentAt, isFirstOnLine, lineEnd, lineEndAt, lineStart, nextLine } from './layout.ts'
import { showPlace } from './place.ts'
import { mergeDeletions, type Splice } from './splice.ts'
import {
  isBlock,
  renderDottedLines,
  renderPair,
  renderTomlBlocks,
  renderTomlTables,
  renderTomlValue,
} from './toml-render.ts'
import { formOf, parseToml, type Site, type TablesForm } from './toml-tree.ts'
import { type Member, type ObjectNode, type PlainObject, type Span } from './tree.ts'

/** TOML as clients read it. */
export const toml: DocumentFormat = {
  name: 'toml',
  parse: parseToml,
  insertMembers(document, at, members) {
    const form = formOf(at.object)
    switch (form.kind) {
      case 'braces':
        return insertInBraces(hashBracketed(document, at.object, at.object.members), () =>
          Object.entries(nest(at.missing, members)).map(([key, value]) => renderPair(key, value)),
        )
      case 'dotted-inline':
        throw notEditable(document, at.object)
      case 'tables':
        return insertInTables(document, at, form, members)
    }
  },
  insertItems(document, list, path, items) {
    const form = formOf(list)
    if (form.kind !== 'tables') {
      return insertInBraces(hashBracketed(document, list, list.items), () => items.map(renderTomlValue))
    }
    const eol = lineEndAt(document.text, document.text.length)
    return [atEnd(document.text, renderTomlBlocks(path, [...items], eol), eol)]
  },
  replaceValue(document, node, value) {
    if (node.kind !== 'scalar' && formOf(node).kind !== 'braces') throw notEditable(document, node)
    return [{ start: node.start, end: node.end, text: renderTomlValue(value) }]
  },
  removeMember(document, object, index) {
    const form = formOf(object)
    if (form.kind === 'braces') return removeFromBraces(hashBracketed(document, object, object.members), [index])
    if (form.kind === 'dotted-inline') throw notEditable(document, object)
    return removeSites(document.text, sitesOf(object.members[index]!))
  },
  removeItems(document, list, indexes) {
    if (formOf(list).kind === 'braces') return removeFromBraces(hashBracketed(document, list, list.items), indexes)
    const items = indexes.map((index) => list.items[index] as ObjectNode)
    return removeSites(
      document.text,
      items.flatMap((item) => (item.form as TablesForm).sites),
    )
  },
  readAgain(text) {
    try {
      return parseStrictly(text, { integersAsBigInt: 'asNeeded' })
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      const what = error.message.split('\n')[0]!.replace('Invalid TOML document: ', '')
      throw new DocumentError('file_broken', `line ${error.line}, column ${error.column}: ${what}`, {
        cause: error,
      })
    }
  },
}

function insertInTables(document: ParsedDocument, at: Insertion, form: TablesForm, members: PlainObject): Splice[] {
  const { text } = document
  const path = [...at.path, ...at.missing]
  const isNew = at.missing.length > 0
  if (!isNew && form.header === undefined && form.dotted !== undefined) {
    const { end, prefix } = form.dotted
    return [behindLine(text, end, renderDottedLines(prefix, path, members))]
  }
  if (isNew || form.header === undefined) {
    if (path.length === 0 && Object.entries(members).some(([key, value]) => !isBlock([key], value))) {
      throw new DocumentError('proof_failed', 'values above the first table cannot be added')
    }
    return [placeBlocks(document, at, form, renderTomlTables(path, members, lineEndAt(text, text.length)))]
  }
  const splices: Splice[] = []
  const lines = Object.entries(members).filter(([key, value]) => !isBlock([...path, key], value))
  if (lines.length > 0) {
    splices.push(
      behindLine(
        text,
        form.header.end,
        lines.map(([key, value]) => renderPair(key, value)),
      ),
    )
  }
  const eol = lineEndAt(text, text.length)
  const blocks = Object.entries(members).flatMap(([key, value]) => renderTomlBlocks([...path, key], value, eol))
  if (blocks.length > 0) splices.push(placeBlocks(document, at, form, blocks))
  return splices
}

/** Blocks of an existing entry go behind its last piece, those of a new one to the end of the file. */
function placeBlocks({ text }: ParsedDocument, at: Insertion, form: TablesForm, blocks: string[]): Splice {
  const last = at.missing.length === 0 && at.path.length >= 2 ? form.sites.at(-1) : undefined
  if (last === undefined) return atEnd(text, blocks, lineEndAt(text, text.length))
  const place = lineEnd(text, last.end)
  const eol = lineEndAt(text, last.end)
  return { start: place, end: place, text: eol + eol + blocks.join(eol + eol).replaceAll(/\r?\n/g, eol) }
}

function atEnd(text: string, blocks: string[], eol: string): Splice {
  const isAfterBlank = text === '' || /\n[ \t]*\r?\n$/.test(text.slice(-200)) || text.trim() === ''
  const lead = (text === '' || text.endsWith('\n') ? '' : eol) + (isAfterBlank ? '' : eol)
  return { start: text.length, end: text.length, text: lead + blocks.join(eol + eol) + eol }
}

function behindLine(text: string, offset: number, lines: string[]): Splice {
  const place = lineEnd(text, offset)
  const lead = lineEndAt(text, offset) + indentAt(text, lineStart(text, offset))
  return { start: place, end: place, text: lines.map((line) => lead + line).join('') }
}

/** The pieces of text that make up a member. */
function sitesOf(member: Member): Site[] {
  const { value } = member
  if (value.kind !== 'scalar' && formOf(value).kind === 'tables') {
    return value.kind === 'list'
      ? value.items.flatMap((item) => ((item as ObjectNode).form as TablesForm).sites)
      : (value.form as TablesForm).sites
  }
  return [{ kind: 'keyvalue', start: member.start, end: member.end }]
}

/** Removes pieces with their lines, and the blank line above a header. Comments stay where they are. */
function removeSites(text: string, sites: readonly Site[]): Splice[] {
  return mergeDeletions(sites.map((site) => ({ ...wholeLines(text, site), text: '' })))
}

function wholeLines(text: string, site: Site): Span {
  const start = lineStart(text, site.start)
  const isAlone =
    text.slice(start, site.start).trim() === '' && text.slice(site.end, lineEnd(text, site.end)).trim() === ''
  if (!isAlone) return isFirstOnLine(text, site.start) ? toComment(text, site) : { start: site.start, end: site.end }
  const above = start > 0 ? lineStart(text, start - 1) : 0
  const hasBlankAbove = site.kind === 'header' && start > 0 && text.slice(above, start).trim() === ''
  return { start: hasBlankAbove ? above : start, end: nextLine(text, site.end) }
}

/** A comment that stood behind the removed piece moves to the begin of its line. */
function toComment(text: string, site: Site): Span {
  let { end } = site
  while (text[end] === ' ' || text[end] === '\t') end++
  return { start: site.start, end }
}

function notEditable(document: ParsedDocument, node: Span): DocumentError {
  const place = showPlace(document.text, node.start)
  return new DocumentError('file_refused', `${place}: this form of TOML cannot be edited; write it as a table`)
}
