// Scores: rarity-weighted words over weighted fields, how much of the request and of the name is covered, and the server's words.
import { actionClassOf, type ActionClass } from './actions.ts'
import type { Analysis } from './query/analyze.ts'
import type { Group } from './query/group.ts'
import { rarity, serverRarity, type IndexedTool, type SearchIndex } from './search-index.ts'
import { weights } from './weights.ts'

/** One tool that something of the request was found in. */
export interface Ranked {
  /** Its number in the index. */
  readonly tool: number
  readonly score: number
  /** Share of the tool's name that was said, 0 to 1. */
  readonly name: number
}

/** What the groups found, by tool number. */
interface Sums {
  readonly total: Float64Array
  readonly covered: Float64Array
  readonly named: Float64Array
  readonly things: Float64Array
  readonly seen: Uint8Array
}

/** The best tools and how many matched. */
export interface RankedTools {
  readonly best: readonly Ranked[]
  readonly total: number
}

/** What narrows or bends a ranking. */
export interface RankOptions {
  /** Only tools of this server. */
  server?: string | undefined
  /** Tools that the request names: in front of all others. */
  named?: ReadonlySet<number>
  /** So many of the best are wanted. */
  keep: number
}

/** What a named tool's score is raised by: more than words can give. */
const nameBonus = 100

/**
 * The tools that match, best first, equals by public name. The server's share is added to the tools' own and is the same for all
 * tools of a server, so it decides between servers and never inside one.
 */
export function rank(index: SearchIndex, { groups, action }: Analysis, options: RankOptions): RankedTools {
  const count = index.tools.length
  const array = (): Float64Array => new Float64Array(count)
  const sums: Sums = { total: array(), covered: array(), named: array(), things: array(), seen: new Uint8Array(count) }
  const scratch = { score: array(), name: array(), thing: array() }
  for (const group of groups) addGroup(index, group, sums, scratch)
  const all = groups.reduce((sum, g) => sum + (g.kind === 'word' ? g.weight * g.ofTools * g.mass : 0), 0)
  const servers = index.servers.map((_, number) => serverScore(index, groups, number))
  const isWanted = index.servers.map(({ name }) => options.server === undefined || options.server === name)
  const found = new Best(index, options.keep)
  for (let tool = 0; tool < count; tool++) {
    const entry = index.tools[tool]
    if (entry === undefined || isWanted[entry.server] !== true) continue
    const home = servers[entry.server] ?? 0
    const isNamed = options.named?.has(tool) === true
    if (sums.seen[tool] === 0 && home === 0 && !isNamed) continue
    const name = entry.nameMass === 0 ? 0 : Math.min(1, (sums.named[tool] ?? 0) / entry.nameMass)
    const score = ownScore(entry, tool, sums, all, name, action) + weights.server * home
    found.add(isNamed ? { tool, score: score + nameBonus, name: 1 } : { tool, score, name })
  }
  return found.end()
}

function ownScore(
  entry: IndexedTool,
  tool: number,
  sums: Sums,
  all: number,
  name: number,
  action: ActionClass | null,
): number {
  const share = all === 0 ? 0 : Math.min(1, (sums.covered[tool] ?? 0) / all)
  let own = (sums.total[tool] ?? 0) * (1 - weights.coverage * (1 - share)) * (1 + weights.nameCoverage * name)
  if (entry.thingMass > 0) {
    own *= 1 - weights.missingThing * (1 - Math.min(1, (sums.things[tool] ?? 0) / entry.thingMass))
  }
  if (action !== null && entry.action !== null) {
    own *= action === entry.action ? 1 + weights.actionAgrees : 1 - weights.actionConflicts
  }
  return own
}

/** Keeps the best of many without sorting them all. */
class Best {
  private found: Ranked[] = []
  private total = 0
  private least = -Infinity
  private readonly index: SearchIndex
  private readonly keep: number

  constructor(index: SearchIndex, keep: number) {
    this.index = index
    this.keep = keep
  }

  add(entry: Ranked): void {
    this.total++
    if (entry.score < this.least) return
    this.found.push(entry)
    if (this.found.length > 4 * this.keep + 64) this.cut()
  }

  end(): RankedTools {
    this.cut()
    return { best: this.found, total: this.total }
  }

  private cut(): void {
    const order = ({ tool }: Ranked): number => this.index.nameOrder[tool] ?? 0
    this.found.sort((a, b) => b.score - a.score || order(a) - order(b))
    this.found.length = Math.min(this.found.length, this.keep)
    if (this.found.length === this.keep) this.least = this.found[this.keep - 1]?.score ?? this.least
  }
}

/** Adds what one group finds. Of several ways to find it in a tool the best counts. */
function addGroup(
  index: SearchIndex,
  group: Group,
  sums: Sums,
  best: { score: Float64Array; name: Float64Array; thing: Float64Array },
): void {
  const here: number[] = []
  for (const { term, key, factor, how } of group.variants) {
    const postings = index.postings.get(term)
    if (postings === undefined) continue
    const rare = rarity(index, key)
    const value = factor * (group.kind === 'word' ? Math.min(rare, Math.max(group.mass, 0.1)) : rare)
    const nameValue = factor * key.split('_').reduce((sum, part) => sum + rarity(index, part), 0)
    const isThing = actionClassOf(key) === null
    for (let i = 0; i < postings.tools.length; i++) {
      const tool = postings.tools[i] ?? 0
      const inName = postings.inName[i] === true
      if (best.score[tool] === 0) here.push(tool)
      raise(best.score, tool, value * (postings.weights[i] ?? 0) * (inName ? 1 : group.inText))
      if (!inName || (group.kind === 'pair' && how !== 'synonym')) continue
      raise(best.name, tool, nameValue)
      if (isThing) raise(best.thing, tool, nameValue)
    }
  }
  const weight = group.weight * group.ofTools
  for (const tool of here) {
    const score = best.score[tool] ?? 0
    add(sums.total, tool, weight * score)
    if (group.kind === 'word') add(sums.covered, tool, weight * Math.min(group.mass, score * 1.5))
    add(sums.named, tool, Math.min(1, weight) * (best.name[tool] ?? 0))
    if (group.kind === 'word') add(sums.things, tool, Math.min(1, weight) * (best.thing[tool] ?? 0))
    sums.seen[tool] = 1
    best.score[tool] = 0
    best.name[tool] = 0
    best.thing[tool] = 0
  }
}

function raise(list: Float64Array, at: number, value: number): void {
  if (value > (list[at] ?? 0)) list[at] = value
}

function add(list: Float64Array, at: number, value: number): void {
  list[at] = (list[at] ?? 0) + value
}

/** How well a server's own words answer the request. */
function serverScore(index: SearchIndex, groups: readonly Group[], server: number): number {
  const own = index.servers[server]?.words
  if (own === undefined) return 0
  let sum = 0
  for (const group of groups) {
    let best = 0
    for (const [key, factor] of group.stems) {
      const weight = own.get(key)
      if (weight !== undefined) best = Math.max(best, factor * weight * serverRarity(index, key))
    }
    sum += group.weight * best
  }
  return sum
}
