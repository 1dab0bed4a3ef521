// Documents to index, in steps so that a large catalog never blocks the process.
import { actionClassOf, firstActionClass } from './actions.ts'
import type { ServerHints, ToolDocument } from './document.ts'
import { fieldLimit, fieldsOf, type Field } from './fields.ts'
import {
  inverseFrequency,
  negationTerm,
  termKey,
  type IndexedServer,
  type IndexedTool,
  type SearchIndex,
} from './search-index.ts'
import { serverKindOf } from './server-kinds.ts'
import { root, stem } from './stem.ts'
import { isUnindexed, termsOf } from './terms.ts'
import { nameKey, words } from './text.ts'
import { buildLexicon } from './typo.ts'
import { weights } from './weights.ts'
import { weakWords } from './words/stop-words.ts'

interface OpenPostings {
  tools: number[]
  weights: number[]
  inName: boolean[]
}

/** So many characters of tools' texts are read between two chances to pause; some milliseconds. */
const sliceLength = 50_000
/** So many tools are weighed between two chances to pause. */
const sliceTools = 1000

/** Builds in one go; fit for some hundred tools. The order of the documents makes no difference to any answer. */
export function buildIndex(documents: readonly ToolDocument[]): SearchIndex {
  const steps = build(documents)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Builds the same index in slices of some milliseconds, waiting for `pause` between them. */
export async function buildIndexInSlices(
  documents: readonly ToolDocument[],
  pause: () => Promise<void>,
): Promise<SearchIndex> {
  const steps = build(documents)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await pause()
  }
}

function* build(documents: readonly ToolDocument[]): Generator<void, SearchIndex, void> {
  const builder = new Builder(documents)
  yield
  let read = 0
  for (const document of documents) {
    read += builder.add(document)
    if (read < sliceLength) continue
    read = 0
    yield
  }
  yield
  return yield* builder.finish()
}

class Builder {
  private readonly tools: { -readonly [K in keyof IndexedTool]: IndexedTool[K] }[] = []
  private readonly servers: IndexedServer[] = []
  private readonly postings = new Map<string, OpenPostings>()
  private readonly forms = new Map<string, string[]>()
  private readonly roots = new Map<string, string[]>()
  private readonly frequency = new Map<string, number>()
  private readonly serverFrequency = new Map<string, number>()
  private readonly names = new Map<string, number[]>()
  private readonly nameStems: string[][] = []
  private readonly lastSeen = new Map<string, number>()
  private readonly serverNumbers = new Map<string, number>()
  private readonly stems = new Map<string, string>()
  private readonly known: ReadonlySet<string>

  constructor(documents: readonly ToolDocument[]) {
    this.known = new Set(documents.flatMap(({ wireName, publicName }) => [wireName, publicName]))
  }

  /** Takes in one tool and tells how many characters that were. */
  add(document: ToolDocument): number {
    const at = this.tools.length
    const { wireName, publicName, shortName } = document
    const fields = fieldsOf(document, (name) => this.known.has(name) && name !== wireName && name !== publicName)
    const { strength, inName } = this.read(fields)
    for (const [term, value] of strength) this.post(term, at, value / (value + weights.saturation), inName.has(term))
    const stems = [...inName].map((term) => this.keyOf(term))
    this.nameStems.push([...new Set(stems)].filter((key) => !key.includes('_')))
    const lead = fields.find(({ kind }) => kind === 'lead')?.text ?? ''
    const action = firstActionClass(stems) ?? firstActionClass(words(lead, 4).map(({ text }) => stem(text)))
    const server = this.serverNumber(document.server)
    this.tools.push({ id: document.id, publicName, server, action, nameMass: 0, thingMass: 0 })
    for (const name of [publicName, wireName, shortName, ...(document.aliases ?? [])])
      push(this.names, nameKey(name), at)
    return fields.reduce((sum, { text }) => sum + text.length, 0)
  }

  /** How much each term says over all fields; of several hints the best one counts. */
  private read(fields: readonly Field[]): { strength: Map<string, number>; inName: Set<string> } {
    const strength = new Map<string, number>()
    const hinted = new Map<string, number>()
    const inName = new Set<string>()
    for (const field of fields) {
      const terms = termsOf(field, (word) => this.stemOf(word))
      const scale = field.weight / (1 - weights.lengthShare + (weights.lengthShare * terms.length) / field.pivot)
      for (const [term, times] of timesOf(terms)) {
        if (field.kind === 'useWhen') hinted.set(term, Math.max(hinted.get(term) ?? 0, scale))
        else strength.set(term, (strength.get(term) ?? 0) + scale * Math.sqrt(Math.min(times, 3)))
        if (field.kind === 'name') inName.add(term)
      }
    }
    for (const [term, value] of hinted) strength.set(term, (strength.get(term) ?? 0) + value)
    return { strength, inName }
  }

  private post(term: string, at: number, weight: number, inName: boolean): void {
    const key = this.keyOf(term)
    let list = this.postings.get(term)
    if (list === undefined) {
      list = { tools: [], weights: [], inName: [] }
      this.postings.set(term, list)
      if (!this.forms.has(key)) push(this.roots, root(key), key)
      push(this.forms, key, term)
    }
    list.tools.push(at)
    list.weights.push(weight)
    list.inName.push(inName)
    if (this.lastSeen.get(key) === at) return
    this.lastSeen.set(key, at)
    this.frequency.set(key, (this.frequency.get(key) ?? 0) + 1)
  }

  private serverNumber(hints: ServerHints): number {
    const known = this.serverNumbers.get(hints.name)
    if (known !== undefined) return known
    const ownWords = serverWords(hints)
    for (const key of ownWords.keys()) this.serverFrequency.set(key, (this.serverFrequency.get(key) ?? 0) + 1)
    const number = this.servers.push({ name: hints.name, words: ownWords }) - 1
    this.serverNumbers.set(hints.name, number)
    return number
  }

  private stemOf(word: string): string {
    const known = this.stems.get(word)
    if (known !== undefined) return known
    const made = stem(word)
    this.stems.set(word, made)
    return made
  }

  private keyOf(term: string): string {
    return termKey(term, (word) => this.stemOf(word))
  }

  *finish(): Generator<void, SearchIndex, void> {
    const { tools, servers, postings, forms, roots, frequency, serverFrequency, names } = this
    for (let at = 0; at < tools.length; at++) {
      this.weighName(at)
      if (at % sliceTools === 0) yield
    }
    const vocabulary = [...postings.keys()].filter((term) => !term.includes('_'))
    yield
    const sortedWords = vocabulary.sort()
    yield
    const lexicon = buildLexicon(sortedWords)
    yield
    const keys = tools.map(({ publicName }) => Buffer.from(publicName))
    const byName = tools.map((_, at) => at)
    byName.sort((a, b) => Buffer.compare(keys[a] ?? none, keys[b] ?? none) || compareIds(tools, a, b))
    const nameOrder = tools.map(() => 0)
    byName.forEach((at, position) => (nameOrder[at] = position))
    yield
    return {
      tools,
      servers,
      postings,
      forms,
      roots,
      frequency,
      serverFrequency,
      names,
      nameOrder,
      lexicon,
      sortedWords,
    }
  }

  private weighName(at: number): void {
    const tool = this.tools[at]
    if (tool === undefined) return
    const home = this.servers[tool.server]?.words
    for (const key of this.nameStems[at] ?? []) {
      const mass = inverseFrequency(this.tools.length, this.frequency.get(key) ?? 0)
      tool.nameMass += mass
      if (actionClassOf(key) === null && key !== negationTerm && home?.get(key) !== 1) tool.thingMass += mass
    }
  }
}

const none = Buffer.alloc(0)
const compareIds = (tools: readonly IndexedTool[], a: number, b: number): number =>
  (tools[a]?.id ?? '') < (tools[b]?.id ?? '') ? -1 : 1

/** Stems of what a server says about itself, and of what servers of its name are usually for. */
function serverWords(hints: ServerHints): Map<string, number> {
  const strength = new Map<string, number>()
  const take = (text: string, weight: number): void => {
    for (const word of words(text.slice(0, fieldLimit))) {
      if (isUnindexed(word.text) || weakWords.has(word.text)) continue
      for (const key of [word.text, ...word.parts].map(stem)) {
        // What is done is the tools' to say; "find", "get" and "see" stand in everybody's hints.
        if (weight < 1 && actionClassOf(key) !== null) continue
        strength.set(key, Math.max(strength.get(key) ?? 0, weight))
      }
    }
  }
  take(hints.name, 1)
  for (const tag of hints.tags ?? []) take(tag, weights.serverTag)
  for (const hint of hints.useWhen ?? []) take(hint, weights.serverUseWhen)
  take(hints.description ?? '', weights.serverDescription)
  for (const { text, parts } of words(hints.name, 16)) {
    for (const key of [text, ...parts].flatMap(serverKindOf)) {
      if (!strength.has(key)) strength.set(key, weights.serverKind)
    }
  }
  return strength
}

function timesOf(terms: readonly string[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1)
  return times
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else if (list[list.length - 1] !== value) list.push(value)
}
