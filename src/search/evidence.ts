// How well the best tool answers a request: the facts between "this one" and "look yourself".
import { actionClassOf, type ActionClass } from './actions.ts'
import type { Analysis } from './query/analyze.ts'
import type { Group, Variant } from './query/group.ts'
import type { Ranked } from './rank.ts'
import type { SearchIndex } from './search-index.ts'
import { isBrand } from './server-kinds.ts'

/** How one group is answered by one tool. */
export interface GroupAnswer {
  readonly group: Group
  /** 0 when the tool and its server have nothing to do with it, 1 when its name or its server's name says it. */
  readonly quality: number
  /** The index term that was found, or null when only the server answers. */
  readonly variant: Variant | null
}

/** Facts about the best tool, each between 0 and 1 unless said otherwise. */
export interface Evidence {
  /** Share of what was said that the tool or its server answers, rare words counting more. */
  readonly said: number
  /** Share of the tool's name that was said. */
  readonly name: number
  /** Distance to the second, relative to the best score; 1 without a second. */
  readonly margin: number
  /** The score beside all that was said; may exceed 1. */
  readonly strength: number
  /** 1 when the tool does what was asked for, -1 when it does something else, 0 when that is not known. */
  readonly action: -1 | 0 | 1
  /** Number of words of weight that nothing of the tool answers. */
  readonly unanswered: number
  /** A product was named that the tool has nothing to do with. */
  readonly isElsewhere: boolean
}

/** Below this an answer is none. */
const poor = 0.3
const half = 0.5

/** The facts about the best of the ranked tools. */
export function evidenceOf(index: SearchIndex, analysis: Analysis, top: Ranked, second: Ranked | undefined): Evidence {
  const tool = index.tools[top.tool]
  const answers = analysis.groups.filter(({ kind }) => kind === 'word').map((group) => answerOf(index, group, top.tool))
  const sum = (of: (answer: GroupAnswer) => number): number => answers.reduce((total, answer) => total + of(answer), 0)
  const all = sum(({ group }) => group.weight * group.mass)
  const answered = sum(({ group, quality }) => group.weight * group.mass * quality)
  return {
    said: all === 0 ? 0 : answered / all,
    name: top.name,
    margin: second === undefined ? 1 : (top.score - second.score) / top.score,
    strength: all === 0 ? 0 : top.score / all,
    action: agreement(analysis.action, tool?.action ?? null),
    unanswered: sum(({ group, quality }) => (quality < poor && group.weight >= poor ? 1 : 0)),
    isElsewhere: answers.some(({ group, quality }) => quality < half && isBrand(group.said)),
  }
}

function agreement(asked: ActionClass | null, done: ActionClass | null): -1 | 0 | 1 {
  if (asked === null || done === null) return 0
  return asked === done ? 1 : -1
}

/** How a tool or its server answers a group. */
export function answerOf(index: SearchIndex, group: Group, tool: number): GroupAnswer {
  let quality = 0
  let variant: Variant | null = null
  for (const candidate of group.variants) {
    const found = qualityOf(index, candidate, tool)
    if (found > quality) {
      quality = found
      variant = candidate
    }
  }
  const home = index.servers[index.tools[tool]?.server ?? -1]?.words
  for (const [key, factor] of group.stems) {
    const weight = home?.get(key)
    if (weight === undefined) continue
    quality = Math.max(quality, factor * (weight === 1 ? 1 : 0.7))
  }
  return { group, quality, variant }
}

function qualityOf(index: SearchIndex, { term, key, factor }: Variant, tool: number): number {
  const postings = index.postings.get(term)
  const at = postings === undefined ? -1 : placeOf(postings.tools, tool)
  if (postings === undefined || at < 0) return 0
  if (postings.inName[at] === true) return factor
  const inText = Math.min(1, 2 * (postings.weights[at] ?? 0))
  return factor * inText * (actionClassOf(key) === null ? 1 : 0.7)
}

function placeOf(ascending: readonly number[], wanted: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return ascending[low] === wanted ? low : -1
}
