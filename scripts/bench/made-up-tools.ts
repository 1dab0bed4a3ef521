// Catalogs of any size, made of words, the same on every run.
import type { ToolDocument } from '../../src/search/document.ts'

const list = (text: string): string[] => text.split(/\s+/)
const servers = list(`brewery harbour orchard observatory quarry theatre vineyard archive laboratory dairy
  foundry nursery printworks refinery shipyard stable tannery winery workshop museum`)
const verbs = list(
  'create list get update delete search export import approve reject assign schedule cancel merge split',
)
const traits = list(`draft overdue recurring regional archived external priority shared seasonal legacy verified nested
  default temporary signed pending public internal damaged spare`)
const things =
  list(`barrel telescope ledger ticket cargo tenant machine recipe permit sample exhibit contract vessel horse
  bottle manuscript experiment invoice delivery sculpture apprentice engine rehearsal harvest locker mould crate voyage
  visitor catalogue`)
const sentences = [
  'Results come in pages, the last change first.',
  'It fails when the caller may not see the parent.',
  'The same key gives the same result again.',
  'Times are read in the zone of the workspace.',
  'An empty filter matches everything there is.',
]
const inputs = list('id name owner status limit cursor from until tags notes amount region format priority reason')

/** So many tools of 20 servers, with descriptions and inputs of different length. */
export function madeUpTools(count: number): ToolDocument[] {
  const random = generator(20_261_129)
  const pick = (words: readonly string[]): string => words[random(words.length)] ?? ''
  return Array.from({ length: count }, (_, n) => {
    const [verb, trait, thing] = [pick(verbs), pick(traits), pick(things)]
    const name = servers[n % servers.length] ?? ''
    const wireName = `${verb}_${trait}_${thing}_${n}`
    const names = Array.from({ length: 2 + random(8) }, () => `${pick(things)}_${pick(inputs)}`)
    const properties = Object.fromEntries(names.map((key) => [key, { type: 'string', description: `The ${key}.` }]))
    const asides = Array.from({ length: random(5) }, () => pick(sentences))
    return {
      id: `${name}/${wireName}`,
      server: { name },
      wireName,
      shortName: wireName,
      publicName: `${name}__${wireName}`,
      ...(random(2) === 0 && { title: `${verb} ${trait} ${thing}` }),
      description: [`${verb} ${trait} ${thing}s of the ${name}.`, ...asides].join(' '),
      inputSchema: { type: 'object', properties },
    }
  })
}

const misspell = (word: string): string => word.replace(/(.)(.)(.)$/, '$1$3$2')

/** Requests for them: short and long, misspelled, in other words, with unknown ones. */
export const madeUpQueries: readonly string[] = (() => {
  const random = generator(7)
  const pick = (words: readonly string[]): string => words[random(words.length)] ?? ''
  return Array.from({ length: 200 }, (_, n) => {
    const [verb, trait, thing] = [pick(verbs), pick(traits), pick(things)]
    const ways = [
      `${verb} the ${trait} ${thing} of our ${pick(servers)}`,
      `I would like to ${verb} a ${thing} that is ${trait}, please tell me what has changed since last week`,
      `${verb} ${thing}s ${misspell(trait)} ${misspell(thing)} zorbla`,
      `show all ${thing}s of the ${pick(servers)} whose owner is Ana Lopez and get rid of the ${trait} ones`,
    ]
    return ways[n % ways.length] ?? ''
  })
})()

/** A small generator of whole numbers below a bound. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
