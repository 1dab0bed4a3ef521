/** What the command line says to `serve`. */
export interface ServeFlags {
  config?: string
  agent?: string
  identity?: string
}

/** Words that may stand before the options and mean the same as none. */
const spellings = [['mcp', 'serve'], ['serve'], []]

/**
 * The flags of a command line that does nothing but serve, in any of its spellings, read without the command tree: a server
 * that starts has no time for it. Undefined for everything else, a wrong use of these options included.
 */
export function readServeFlags(args: readonly string[]): ServeFlags | undefined {
  const flags: ServeFlags = {}
  const words = spellings.find((spelling) => spelling.every((word, at) => args[at] === word)) ?? []
  for (let at = words.length; at < args.length; at++) {
    const [name, inline] = splitOption(args[at]!)
    const value = inline ?? args[++at]
    const flag = flagOf(name)
    if (flag === undefined || value === undefined || value === '' || flags[flag] !== undefined) return undefined
    flags[flag] = value
  }
  return flags
}

/** A command line that begins with an option of `serve` means `serve`. */
export function withServeCommand(args: readonly string[]): string[] {
  return flagOf(splitOption(args[0] ?? '')[0]) !== undefined ? ['serve', ...args] : [...args]
}

const flagNames = ['config', 'agent', 'identity'] as const satisfies (keyof ServeFlags)[]

function flagOf(name: string): keyof ServeFlags | undefined {
  return flagNames.find((flag) => name === `--${flag}`)
}

function splitOption(text: string): [name: string, value: string | undefined] {
  const at = text.startsWith('--') ? text.indexOf('=') : -1
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
