// Light stemming. A stem joins the forms of one word (`entries`, `entry`), a root joins a word with what is derived from it
// (`authorize`, `authorization`). Both are keys, not words to show.

const irregular: ReadonlyMap<string, string> = new Map(
  `paid:pay sent:send bought:buy written:write wrote:write drawn:draw drew:draw found:find made:make got:get ran:run
  took:take taken:take shown:show kept:keep lost:lose spent:spend held:hold built:build gave:give given:give went:go gone:go
  saw:see seen:see chosen:choose chose:choose threw:throw thrown:throw told:tell brought:bring caught:catch
  people:person children:child indices:index indexes:index matrices:matrix vertices:vertex statuses:status began:begin
  begun:begin broke:break broken:break sold:sell taught:teach forgot:forget hidden:hide hid:hide meant:mean met:meet
  rose:rise risen:rise spoke:speak spoken:speak stolen:steal understood:understand withdrawn:withdraw withdrew:withdraw
  grew:grow grown:grow knew:know known:know flew:fly fell:fall fed:feed men:man women:woman lives:life
  moved:move moving:move saved:save saving:save closed:close used:use using:use uses:use data:data media:media`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
)
const vowel = /[aeiouy]/
/** Three letters that keep their end when `-ing` or `-ed` is taken off; others get back the `e` they lost. */
const keepsShort = new Set(['map', 'log', 'tag', 'fix', 'add', 'end', 'bil'])

/** The key that the plural, past and -ing forms of a folded word share; words of other scripts are their own key. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  return finish(strip(irregular.get(word) ?? american(word)))
}

/** One spelling for both sides of the Atlantic. */
function american(word: string): string {
  return word
    .replace(/(?<=[a-z]{4})is(?=(?:e|es|ed|ing|ation|ations)$)/, 'iz')
    .replace(/(?<=[a-z]{3})our(?=(?:s|ed|ing|ite|ites)?$)/, 'or')
}

function strip(word: string): string {
  if (/ie[sd]$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|us|is)$/.test(word)) return word
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s')) return strip(word.slice(0, -1))
  for (const ending of ['ing', 'ed']) {
    const rest = word.slice(0, -ending.length)
    if (!word.endsWith(ending) || rest.length < 3 || !vowel.test(rest) || (ending === 'ed' && rest.endsWith('e')))
      continue
    return afterEnding(rest)
  }
  return word
}

function afterEnding(rest: string): string {
  if (/([^aeioulsz])\1$/.test(rest)) return rest === 'add' ? rest : rest.slice(0, -1)
  if (rest.length >= 5 && /[aeiou]ll$/.test(rest)) return rest.slice(0, -1)
  const losesE = rest.length === 3 && /[^aeiouy][aeiou][^aeiouwxy]$/.test(rest) && !keepsShort.has(rest)
  return losesE ? `${rest}e` : rest
}

/** Silent endings, alike after every way of stripping. */
function finish(word: string): string {
  if (word.endsWith('y') && word.length > 3 && !/[aeiou]y$/.test(word)) return `${word.slice(0, -1)}i`
  return word.length > 4 && word.endsWith('e') && !word.endsWith('ee') ? word.slice(0, -1) : word
}

const derived =
  /(?:izations?|ations?|itions?|ions?|ments?|izers?|ators?|ives?|ers?|ors?|als?|ness|ably|ible|able|ly|ize|iz|at)$/

/** The key that a stem shares with its derivations; at least four letters stay. */
export function root(stemmed: string): string {
  if (stemmed.length < 6 || !/^[a-z]+$/.test(stemmed)) return stemmed
  const rest = stemmed.replace(derived, '')
  return rest.length >= 4 ? rest : stemmed
}

/** Key of a Spanish, Portuguese or Italian word: number, gender and the endings of regular verbs go. */
export function stemSpanish(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  const bare = withoutPronoun(word)
  const rest = bare.replace(
    /(?:aciones|acion|amientos?|imientos?|adores|ador|adas?|ados?|idas?|idos?|ando|iendo|aron|ieron|aban?|amos|emos|imos|ar|er|ir|an|en|as|os|es|a|o|e)$/,
    '',
  )
  return rest.length >= 3 ? rest : bare
}

/** `muéstrame` and `enviarlo` without the pronoun at their end. */
function withoutPronoun(word: string): string {
  const verb = word.replace(/(?:me|te|se|nos|los|las|lo|la|les|le)$/, '')
  return verb.length >= 5 && /(?:r|ndo|[ae])$/.test(verb) ? verb : word
}
