// Reads YAML strictly: what could be misread is refused with its place.
import {
  CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseAllDocuments,
  type Scalar,
  visit,
} from 'yaml'

/** Something wrong with a configuration file. `pointer` names the member (`/servers/atlas/url`), where there is one. */
export interface Problem {
  readonly pointer: string
  /** Never repeats a value of the file. */
  readonly message: string
}

/** A place in a text, both from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A file as a value, with the place of every member. */
export interface YamlFile {
  readonly value: unknown
  readonly problems: readonly Problem[]
  /** Where a member's key stands, or the member itself in a list; the nearest one above where it is not there. */
  placeOf(pointer: string): Position
}

/** Longer files are not somebody's configuration. */
export const mostBytes = 256 * 1024
/** Members after aliases were followed: what an alias bomb has more of. */
const mostNodes = 20_000
const deepest = 20
/** What the parser may see: it recurses, and the end of the stack can end the whole process. */
const deepestText = 100

/** Reads one YAML 1.2 document from its bytes. Never throws: what is wrong is among the problems. */
export function readYaml(bytes: Uint8Array): YamlFile {
  const broken = (message: string, place: Position = { line: 1, column: 1 }): YamlFile => ({
    value: {},
    problems: [{ pointer: '', message }],
    placeOf: () => place,
  })
  if (bytes.length > mostBytes) return broken('the file is larger than 256 KiB')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return broken('the file is not UTF-8')
  }
  if (isHostile(text)) return broken('the file is nested too deeply')
  const lines = new LineCounter()
  const placeAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    intAsBigInt: true,
    // Its own check compares every key with every other; the walk below has a set.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const [document, second] = Array.isArray(documents) ? documents : []
  if (document === undefined) return { value: {}, problems: [], placeOf: () => placeAt(0) }
  const [error] = [...document.errors, ...document.warnings]
  if (error !== undefined) return broken(yamlErrorWords(error.code), placeAt(error.pos[0]))
  if (second !== undefined) return broken('a second document begins here; one file holds one', placeAt(second.range[0]))
  return new Reader(document, placeAt).read()
}

/** Whether brackets, or indentation and dashes before a line's first word, go deeper than in any configuration. */
function isHostile(text: string): boolean {
  if (new RegExp(`^[-?: ]{${2 * deepestText}}`, 'm').test(text)) return true
  let depth = 0
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme)
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth++
    else if (type === 'flow-map-end' || type === 'flow-seq-end') depth--
    if (depth > deepestText) return true
  }
  return false
}

/** Turns the parsed document into a value, and notes where everything stands. */
class Reader {
  readonly #contents: unknown
  /** What each alias stands for. Its own search would go through the document once for every alias. */
  readonly #targets = new Map<unknown, unknown>()
  readonly #placeAt: (offset: number) => Position
  readonly #places = new Map<string, Position>()
  readonly #problems: Problem[] = []
  #nodes = 0

  constructor(document: Document, placeAt: (offset: number) => Position) {
    this.#contents = document.contents
    this.#placeAt = placeAt
    const anchors = new Map<string, unknown>()
    visit(document, {
      Node: (_key, node) => {
        if (isAlias(node)) this.#targets.set(node, anchors.get(node.source))
        else if (node.anchor !== undefined) anchors.set(node.anchor, node)
      },
    })
  }

  read(): YamlFile {
    const value = this.#contents === null ? {} : this.#value(this.#contents, '', 0)
    return { value: value ?? {}, problems: this.#problems, placeOf: (pointer) => this.#placeOf(pointer) }
  }

  #placeOf(pointer: string): Position {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const place = this.#places.get(at)
      if (place !== undefined) return place
      if (at === '') return this.#placeAt(0)
    }
  }

  #value(node: unknown, pointer: string, depth: number): unknown {
    if (++this.#nodes > mostNodes)
      return this.#wrong('', 'the file has too many members, or aliases that multiply them')
    if (depth > deepest) return this.#wrong(pointer, 'is nested too deeply')
    if (isAlias(node)) {
      const target = this.#targets.get(node)
      if (target === undefined) return this.#wrong(pointer, 'an alias names no anchor before it')
      return this.#value(target, pointer, depth + 1)
    }
    if (isMap(node)) return this.#map(node.items, pointer, depth)
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const below = `${pointer}/${index}`
        this.#note(below, item)
        return this.#value(item, below, depth + 1)
      })
    }
    return isScalar(node) ? this.#scalar(node, pointer) : null
  }

  #map(items: readonly { key: unknown; value: unknown }[], pointer: string, depth: number): unknown {
    const members = new Map<string, unknown>()
    for (const { key, value } of items) {
      const name = isScalar(key) && typeof key.value === 'string' ? key.value : undefined
      if (name === undefined) {
        this.#note(`${pointer}/`, key)
        this.#wrong(`${pointer}/`, 'a key must be a text; put it in quotes')
        continue
      }
      const below = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (members.has(name)) {
        this.#note(`${below}/`, key)
        this.#wrong(`${below}/`, 'is given twice; give it once')
        continue
      }
      this.#note(below, key)
      if (name === '<<') this.#wrong(below, 'merge keys are not supported; write the members out')
      members.set(name, value === null ? this.#empty(below) : this.#value(value, below, depth + 1))
    }
    return Object.fromEntries(members)
  }

  #scalar(node: Scalar, pointer: string): unknown {
    const { value, source = '' } = node
    if (value === null && pointer !== '') return this.#empty(pointer)
    if (typeof value !== 'bigint' && typeof value !== 'number') return value
    // 017, 1e3, 0x10 and the like mean different numbers to different readers.
    if (/^-?(0|[1-9]\d*)$/.test(source) && Number.isSafeInteger(Number(value))) return Number(value)
    if (/^-?\d+\.\d+$/.test(source)) return Number(value)
    return this.#wrong(pointer, 'write the number in plain decimal digits, up to 9007199254740991')
  }

  #empty(pointer: string): undefined {
    return this.#wrong(pointer, 'has no value; give one or remove the key')
  }

  #note(pointer: string, node: unknown): void {
    const offset = (node as { range?: readonly number[] | null } | null)?.range?.[0]
    if (offset !== undefined && !this.#places.has(pointer)) this.#places.set(pointer, this.#placeAt(offset))
  }

  #wrong(pointer: string, message: string): undefined {
    this.#problems.push({ pointer, message })
    return undefined
  }
}

/** The parser's own messages quote the file, which may hold a secret. */
function yamlErrorWords(code: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'a tab is used as indentation; use spaces'
    case 'BAD_INDENT':
      return 'the indentation does not fit the lines above, or a bracket above is not closed'
    case 'TAG_RESOLVE_FAILED':
      return 'a tag is used that is not known; write the plain value'
    case 'BAD_DQ_ESCAPE':
      return 'a backslash in double quotes begins no escape; write paths of Windows in single quotes'
    case 'MISSING_CHAR':
      return 'a quote, bracket, comma or colon is missing'
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'a key is not followed by its value on the same line; check colons and indentation'
    default:
      return 'this is not valid YAML'
  }
}
