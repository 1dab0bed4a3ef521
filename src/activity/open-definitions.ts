import { openActivityDatabase } from '../storage/activity-database.ts'
import type { Clock } from '../timing/clock.ts'
import { watchDefinitions, type DefinitionWatch } from './definition-watch.ts'
import { ToolDefinitions } from './tool-definitions.ts'

/** Where definitions of tools are kept, and who hears of what is wrong. */
export interface OpenDefinitionsOptions {
  /** The activity file; undefined when there is no place for it. It is opened when the first server has listed its tools. */
  path: string | undefined
  clock: Clock
  warn(message: string): void
}

/** Looks at what mounted servers list, with the activity file as memory. */
export function openDefinitions({ path, clock, warn }: OpenDefinitionsOptions): DefinitionWatch {
  return watchDefinitions({ open: () => definitionsIn(path), clock, random: Math.random, warn })
}

/** The definitions in this file, which is made when it is missing. Throws when it cannot be opened. */
export function definitionsIn(path: string | undefined): ToolDefinitions {
  if (path === undefined) throw new Error('there is no place for the activity file')
  return new ToolDefinitions(openActivityDatabase(path))
}
