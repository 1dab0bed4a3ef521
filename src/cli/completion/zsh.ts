import { steps, valued, type CommandModel, type DescribedWord } from './command-model.ts'
import { anyOf, quoted } from './quoted.ts'

/** A script for zsh: to be sourced, or to lie in a folder of `fpath`. */
export function zshScript(program: string, models: readonly CommandModel[]): string {
  // A file in fpath is loaded as the function of its own name.
  const name = `_${program}`
  const values = valued(models)
  const ofOptions = values.map(({ place, value }) => {
    const action =
      value.kind === 'file'
        ? '_files'
        : value.kind === 'words'
          ? `compadd -- ${value.words.map(quoted).join(' ')}`
          : "_message 'a value'"
    return `      ${quoted(place)}) ${action} ;;`
  })
  const ofCommands = models.map(({ at, commands, values: own, options }) => {
    const flags = options.flatMap(({ names, description }) => names.map((word) => ({ word, description })))
    const plain = [...commands, ...own.map((word) => ({ word, description: '' }))]
    return `      ${quoted(at)})\n        options=(${entries(flags)})\n        candidates=(${entries(plain)}) ;;`
  })
  return `#compdef ${program}
# zsh completion for ${program}; made by \`${program} completion zsh\`
${name}() {
  local at='' option='' word index
  local -a options candidates
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
    if [[ -n $option && $word != -* ]]; then option=''; continue; fi
    option=''
    case "$at $word" in
      ${anyOf(steps(models))}) at="$at $word" ;;
      ${anyOf(values.map(({ place }) => place))}) option=$word ;;
    esac
  done
  local current=\${words[CURRENT]}
  if [[ $current == --*=* ]]; then
    option=\${current%%=*}
    compset -P '*='
  elif [[ $current == -* ]]; then
    option=''
  fi
  if [[ -n $option ]]; then
    case "$at $option" in
${ofOptions.join('\n')}
    esac
    return
  fi
  case "$at" in
${ofCommands.join('\n')}
  esac
  if [[ $current == -* ]]; then _describe -o 'option' options; else _describe 'command' candidates; fi
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`
}

/** Words with descriptions as `_describe` wants them: a colon between the two. */
function entries(words: readonly DescribedWord[]): string {
  return words
    .map(({ word, description }) => quoted(`${word.replaceAll(':', '\\:')}${description && `:${description}`}`))
    .join(' ')
}
