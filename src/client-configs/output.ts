// What a set-up command says: to a person, as data, or nothing, by its flags.
import { createInterface } from 'node:readline/promises'
import { exitCodeOf, isRefusal } from './client-config-error.ts'
import { type Appearance, plainAppearance } from '../terminal/appearance.ts'
import { jsonLines } from '../terminal/foreign-text.ts'

/** Where a command reads and writes. */
export interface Streams {
  stdin: NodeJS.ReadableStream
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** A person sits there and may be asked. */
  isTTY: boolean
  /** How texts on stdout may look; plain when missing. */
  look?: Appearance
}

/** The flags that decide what is said. */
export interface OutputFlags {
  json?: boolean
  quiet?: boolean
}

/** The outcome in both forms; only the one that is wanted is made. */
export interface Message {
  text(look: Appearance): string
  data(): object
}

/** The command's voice. */
export interface Output {
  /** Says an outcome: as one JSON object with `--json`, not at all with `--quiet`, else as text. */
  tell(message: Message): void
  /** One line about what went wrong, whatever the flags are. */
  complain(sentence: string): void
  /** True when a person sits there and reads text. */
  readonly canAsk: boolean
  /** How its texts may look. */
  readonly look: Appearance
  /** Shows a text, asks, and resolves to whether the answer was yes. */
  confirm(text: string, question: string): Promise<boolean>
}

/** The output of a command with these flags. */
export function openOutput(
  { stdin, stdout, stderr, isTTY, look = plainAppearance }: Streams,
  { json, quiet }: OutputFlags,
): Output {
  return {
    tell({ text, data }) {
      if (json === true) stdout.write(jsonLines(data()))
      else if (quiet !== true) stdout.write(text(look))
    },
    complain: (sentence) => void stderr.write(`hubu-unified-mcp: ${sentence}\n`),
    look,
    canAsk: isTTY && json !== true && quiet !== true,
    async confirm(text, question) {
      stdout.write(`${text}${question} [y/N] `)
      const reader = createInterface({ input: stdin })
      try {
        for await (const line of reader) return /^\s*y(?:es)?\s*$/i.test(line)
        return false
      } finally {
        reader.close()
      }
    },
  }
}

/** The exit code of a run; a refusal is told in one line and is 1, or 2 when the arguments were wrong. */
export async function exitCodeOfRun(output: Output, run: () => number | Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!isRefusal(error)) throw error
    output.complain(error.message)
    return exitCodeOf(error)
  }
}
