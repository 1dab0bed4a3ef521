// The commander tree as the shells' scripts need it: one entry for each place at which words can be completed.
import type { Command, Option } from 'commander'

/** A word with its meaning, on one line. */
export interface DescribedWord {
  word: string
  description: string
}

/** What may follow an option. */
export type OptionValue =
  { kind: 'none' } | { kind: 'file' } | { kind: 'words'; words: readonly string[] } | { kind: 'free' }

/** One option with all its spellings. */
export interface OptionModel {
  names: readonly string[]
  description: string
  value: OptionValue
}

/** One command. */
export interface CommandModel {
  /** Its words, each after a space: empty for the program itself, ` sandbox faults` for a command below another. */
  at: string
  commands: readonly DescribedWord[]
  /** What its arguments may be, when that is known. */
  values: readonly string[]
  options: readonly OptionModel[]
}

/** Values of arguments and options that the tree does not say: by `at`, or by `at`, a space and the option. */
export type KnownValues = Readonly<Record<string, readonly string[]>>

/** All commands that help would show, from the program down. */
export function modelOf(program: Command, known: KnownValues): CommandModel[] {
  const visit = (command: Command, at: string): CommandModel[] => {
    const help = command.createHelp()
    const below = help.visibleCommands(command)
    const own: CommandModel = {
      at,
      commands: below.map((each) => ({ word: each.name(), description: oneLine(each.description()) })),
      values: known[at] ?? command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
      options: help.visibleOptions(command).map((option) => optionModel(option, at, known)),
    }
    return [own, ...below.flatMap((each) => visit(each, `${at} ${each.name()}`))]
  }
  return visit(program, '')
}

function optionModel(option: Option, at: string, known: KnownValues): OptionModel {
  const names = [option.short, option.long].filter((name) => name !== undefined)
  const words = known[`${at} ${option.long ?? ''}`] ?? option.argChoices
  return { names, description: oneLine(option.description), value: valueOf(option, words) }
}

function valueOf({ flags, required, optional }: Option, words: readonly string[] | undefined): OptionValue {
  if (!required && !optional) return { kind: 'none' }
  if (words !== undefined) return { kind: 'words', words }
  return /[<[](path|file)[\]>]/.test(flags) ? { kind: 'file' } : { kind: 'free' }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Every `at` and word that leads to a command below. */
export function steps(models: readonly CommandModel[]): string[] {
  return models.flatMap(({ at, commands }) => commands.map(({ word }) => `${at} ${word}`))
}

/** Every `at` and option that takes a value, with what that may be. */
export function valued(models: readonly CommandModel[]): { place: string; value: OptionValue }[] {
  return models.flatMap(({ at, options }) =>
    options
      .filter(({ value }) => value.kind !== 'none')
      .flatMap(({ names, value }) => names.map((name) => ({ place: `${at} ${name}`, value }))),
  )
}
