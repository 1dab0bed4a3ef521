// Which kind of action a request asks for.
import { actionClassOf, commandClassOf, firstActionClass, type ActionClass } from '../actions.ts'
import { languages, translate, type Language } from '../dictionaries.ts'
import { isPhrase } from '../thesaurus.ts'
import type { Group } from './group.ts'
import type { Token } from './tokens.ts'

const question =
  /^(?:what|which|who|whose|whom|when|where|why|is|are|was|were|does|did|do|has|have|can|que|cual|cuales|quien|cuanto|cuanta|cuantos|donde|cuando|welche|welcher|welches|was|wer|wo|wann|warum|wie|quel|quelle|quels|quelles|qui|combien|ou|quand)$/

/**
 * The class of the request's command. A question reads; `create` in "I created a page" is no command; and a verb that belongs to
 * a thing ("merge request") is none either. Null when nothing shows.
 */
export function askedAction(
  tokens: readonly Token[],
  spoken: readonly Language[],
  groups: readonly Group[],
): ActionClass | null {
  if (asksQuestion(tokens)) return 'read'
  for (const [at, token] of tokens.entries()) {
    if (token.value || token.negated || token.taken || isPartOfThing(token, tokens[at + 1])) continue
    const own = at === 0 ? actionClassOf(token.stem) : isCommand(tokens, at) ? commandClassOf(token.text) : null
    if (own !== null) return own
    for (const language of languages) {
      const found = spoken.includes(language) ? firstActionClass(translate(token.text, language)) : null
      if (found !== null) return found
    }
  }
  return actionOfVariants(groups)
}

function asksQuestion(tokens: readonly Token[]): boolean {
  const first = tokens[0]?.text ?? ''
  const second = tokens[1]?.text ?? ''
  if (/^(?:give|tell|let)$/.test(first) && second === 'me') return true
  if (first === 'how') return /^(?:much|many|long|far|high|big|old|often|is|are|did)$/.test(second)
  const asksFor = /^(?:can|do)$/.test(first) && /^(?:you|i|we)$/.test(second)
  return question.test(first) && !asksFor
}

/** After these a word names a thing or says what somebody else does: "the bot should get", "my open issues". */
const noCommandAfter =
  /^(?:should|shall|may|must|might|would|will|could|can|cannot|did|does|do|they|he|she|it|that|who|which|the|a|an|of|my|your|our|its|this|in|on|for|from|with|by|into|all|each|every|some|any|no)$/

const isCommand = (tokens: readonly Token[], at: number): boolean => !noCommandAfter.test(tokens[at - 1]?.text ?? '')

function isPartOfThing(token: Token, next: Token | undefined): boolean {
  return next !== undefined && isPhrase(`${token.stem}_${next.stem}`) && actionClassOf(next.stem) === null
}

/** A misspelled or foreign command shows in what it was found as. */
function actionOfVariants(groups: readonly Group[]): ActionClass | null {
  for (const group of groups) {
    for (const { key, factor, how } of group.variants) {
      if (factor < 0.6 || how === 'part') continue
      const found = actionClassOf(key)
      if (found !== null) return found
    }
  }
  return null
}
