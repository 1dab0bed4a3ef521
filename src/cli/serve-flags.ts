/** What the command line says to `serve`. */
export interface ServeFlags {
  config?: string
}

/**
 * The flags of a command line that is nothing but options of `serve`, read without the command tree, which a server that
 * starts has no time for. Undefined for everything else, a wrong use of these options included.
 */
export function readServeFlags(args: readonly string[]): ServeFlags | undefined {
  const flags: ServeFlags = {}
  for (let at = 0; at < args.length; at++) {
    const [name, inline] = splitOption(args[at]!)
    const value = inline ?? args[++at]
    if (name !== '--config' || value === undefined || value === '' || flags.config !== undefined) return undefined
    flags.config = value
  }
  return flags
}

/** A command line that begins with an option of `serve` means `serve`. */
export function withServeCommand(args: readonly string[]): string[] {
  return splitOption(args[0] ?? '')[0] === '--config' ? ['serve', ...args] : [...args]
}

function splitOption(text: string): [name: string, value: string | undefined] {
  const at = text.startsWith('--') ? text.indexOf('=') : -1
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
