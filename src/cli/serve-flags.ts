/** What the command line says to `serve`. */
export interface ServeFlags {
  config?: string
  agent?: string
  identity?: string
  /** Serve HTTP instead of stdio; empty: at the configured address. */
  http?: string
  tokenFile?: string
  newToken?: boolean
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
    if (name === '--new-token' && inline === undefined) {
      flags.newToken = true
      continue
    }
    const flag = flagOf(name)
    const isBare = flag === 'http' && inline === undefined && (args[at + 1] ?? '--').startsWith('--')
    const value = isBare ? '' : (inline ?? args[++at])
    if (flag === undefined || value === undefined || (value === '' && !isBare) || flags[flag] !== undefined)
      return undefined
    flags[flag] = value
  }
  const { http, tokenFile, newToken } = flags
  // These mean nothing to stdio; the command tree says so.
  return http === undefined && (tokenFile !== undefined || newToken !== undefined) ? undefined : flags
}

/** Whether what was asked for is HTTP. A variable says so as well as the flag. */
export function wantsHttp({ http }: ServeFlags, env: Readonly<Record<string, string | undefined>>): boolean {
  return http !== undefined || env.HUBU_UNIFIED_HTTP !== undefined
}

/** A command line that begins with an option of `serve` means `serve`. */
export function withServeCommand(args: readonly string[]): string[] {
  return flagOf(splitOption(args[0] ?? '')[0]) !== undefined ? ['serve', ...args] : [...args]
}

const flagNames = {
  '--config': 'config',
  '--agent': 'agent',
  '--identity': 'identity',
  '--http': 'http',
  '--token-file': 'tokenFile',
} as const satisfies Record<string, keyof ServeFlags>

function flagOf(name: string): (typeof flagNames)[keyof typeof flagNames] | undefined {
  return Object.hasOwn(flagNames, name) ? flagNames[name as keyof typeof flagNames] : undefined
}

function splitOption(text: string): [name: string, value: string | undefined] {
  const at = text.startsWith('--') ? text.indexOf('=') : -1
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
