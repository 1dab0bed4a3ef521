import type { Place } from '../config/paths.ts'

/** What a command gets from outside. */
export interface CliContext {
  process: NodeJS.Process
  place: Place
  /** 0 success, 1 failure, 2 usage; the last one set counts. */
  setExitCode(code: number): void
}
