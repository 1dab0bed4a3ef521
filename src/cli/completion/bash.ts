import { steps, valued, type CommandModel } from './command-model.ts'
import { anyOf, listOf, quoted } from './quoted.ts'

/** A script for bash 3.2 and newer. */
export function bashScript(program: string, models: readonly CommandModel[]): string {
  const name = `_${program.replaceAll('-', '_')}`
  const values = valued(models)
  const fixed = values.flatMap(({ place, value }) =>
    value.kind === 'words' ? [`      ${quoted(place)}) candidates=${quoted(listOf(value.words, quoted))} ;;`] : [],
  )
  const files = values.filter(({ value }) => value.kind === 'file').map(({ place }) => place)
  const words = models.map(({ at, commands, values: own, options }) => {
    const flags = options.flatMap(({ names }) => names).join(' ')
    const plain = listOf([...commands.map(({ word }) => word), ...own], quoted)
    return `      ${quoted(at)}) options=${quoted(flags)} candidates=${quoted(plain)} ;;`
  })
  return `# bash completion for ${program}; made by \`${program} completion bash\`
${name}() {
  local at='' option='' word index options='' candidates=''
  local current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    [[ $word == '=' ]] && continue
    if [[ -n $option && $word != -* ]]; then option=''; continue; fi
    option=''
    case "$at $word" in
      ${anyOf(steps(models))}) at="$at $word" ;;
      ${anyOf(values.map(({ place }) => place))}) option=$word ;;
    esac
  done
  [[ $current == '=' ]] && current=''
  if [[ -n $option && $current != -* ]]; then
    case "$at $option" in
      ${anyOf(files)})
        compopt -o filenames 2>/dev/null
        local IFS=$'\\n'
        COMPREPLY=($(compgen -f -- "$current"))
        return ;;
${fixed.join('\n')}
    esac
  else
    case "$at" in
${words.join('\n')}
    esac
    [[ $current == -* ]] && candidates=$options
  fi
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -F ${name} ${program}
`
}
