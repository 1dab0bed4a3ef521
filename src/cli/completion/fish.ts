import { steps, valued, type CommandModel, type OptionModel } from './command-model.ts'
import { listOf, quotedForFish as quoted } from './quoted.ts'

/** A script for fish 3 and newer. */
export function fishScript(program: string, models: readonly CommandModel[]): string {
  const name = `__${program.replaceAll('-', '_')}_at`
  const complete = (at: string, rest: string) => `complete -c ${program} -n ${quoted(`${name} ${quoted(at)}`)} ${rest}`
  const lines = models.flatMap(({ at, commands, values, options }) => [
    ...commands.map(({ word, description }) =>
      complete(at, `-a ${quoted(listOf([word], quoted))} -d ${quoted(description)}`),
    ),
    ...values.map((word) => complete(at, `-a ${quoted(listOf([word], quoted))}`)),
    ...options.map((option) => complete(at, optionLine(option))),
  ])
  return `# fish completion for ${program}; made by \`${program} completion fish\`
function ${name}
    set -l at ''
    set -l option ''
    for word in (commandline -opc)[2..-1]
        if test -n "$option"; and not string match -q -- '-*' $word
            set option ''
            continue
        end
        set option ''
        switch "$at $word"
            case ${steps(models).map(quoted).join(' ')}
                set at "$at $word"
            case ${valued(models)
              .map(({ place }) => quoted(place))
              .join(' ')}
                set option $word
        end
    end
    test "$at" = "$argv[1]"
end
complete -c ${program} -f
${lines.join('\n')}
`
}

function optionLine({ names, description, value }: OptionModel): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const after = { none: '', file: ' -r -F', free: ' -x', words: ' -x' }[value.kind]
  const words = value.kind === 'words' ? ` -a ${quoted(listOf(value.words, quoted))}` : ''
  return `${flags.join(' ')}${after}${words} -d ${quoted(description)}`
}
