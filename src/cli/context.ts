import type { Place } from '../config/paths.ts'
import type { Appearance } from '../terminal/appearance.ts'

/** What a command gets from outside. */
export interface CliContext {
  /** Text that is written to its stdout and stderr is cleaned for terminals. */
  process: NodeJS.Process
  /** The same process with its streams as they are: for MCP, and for bytes that somebody asked for. */
  wire: NodeJS.Process
  place: Place
  /** How what goes to stdout may look; plain when missing. */
  look?: Appearance
  /** 0 success, 1 failure, 2 usage; the last one set counts. */
  setExitCode(code: number): void
}
