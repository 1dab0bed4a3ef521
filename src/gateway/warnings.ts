// What the log says once of mounted servers' tools: that one cannot be listed, or that a pin or a scope names none.
import { knownNames } from '../downstream/known-names.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { strayNames } from '../names/stray-names.ts'
import type { AgentView } from './agent.ts'

/** After so many different sentences there is silence. */
const mostSentences = 1000

/** Gives what looks at the tools that are known now and warns of what was not told before. */
export function createWarnings(mounts: Mounts, warn: (message: string) => void): (agent: AgentView) => void {
  const [told, judged] = [new Set<string>(), new Set<string>()]
  return ({ pins: pin, lists: { tools } }) => {
    for (const sentence of [
      ...mounts.servers().flatMap(({ notes }) => notes),
      ...strayNames({ pin, tools }, knownNames(mounts), judged),
    ]) {
      if (told.has(sentence) || told.size >= mostSentences) continue
      told.add(sentence)
      warn(sentence)
    }
  }
}
