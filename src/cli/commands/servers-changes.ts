// `servers --changes` and `servers accept`: which tools are other ones than those that a person has accepted.
import { existsSync } from 'node:fs'
import type { ChangedTool, ToolDefinitions } from '../../activity/tool-definitions.ts'
import { activityPath } from '../../config/activity-path.ts'
import { environmentVariables } from '../../config/environment.ts'
import { jsonLines, label } from '../../terminal/foreign-text.ts'
import { realClock } from '../../timing/clock.ts'
import type { CliContext } from '../context.ts'

/** What is printed, for people or as JSON. */
interface ChangesFlags {
  json?: boolean
}

/** Prints every difference that nobody has accepted. Gives the exit code. */
export async function showChanges({ json = false }: ChangesFlags, context: CliContext): Promise<number> {
  const changes = await onDefinitions(context, (definitions) => definitions.changed())
  if (typeof changes === 'string') return fail(changes, context)
  context.process.stdout.write(await changesText(changes, json, 'No tool has changed since it was accepted.\n'))
  return 0
}

/** Accepts what a server lists now, and prints what was accepted. Gives the exit code. */
export async function acceptChanges(
  server: string,
  { json = false }: ChangesFlags,
  context: CliContext,
): Promise<number> {
  const accepted = await onDefinitions(context, (definitions) => definitions.accept(server))
  if (typeof accepted === 'string') return fail(accepted, context)
  if (accepted.length === 0) return fail(`no tool of ${label(server)} waits to be accepted`, context)
  if (!json) context.process.stdout.write(`Accepted; a router that runs takes it over within a few seconds.\n\n`)
  context.process.stdout.write(await changesText(accepted, json, ''))
  return 0
}

/** What the work gives; a sentence when the file cannot be used. */
async function onDefinitions<T>(
  { place }: CliContext,
  work: (definitions: ToolDefinitions) => T[],
): Promise<T[] | string> {
  const file = activityPath(place)
  if (file === undefined)
    return `there is no place for the activity file; ${environmentVariables.activityPath} names one`
  if (!existsSync(file)) return []
  const { definitionsIn } = await import('../../activity/open-definitions.ts')
  const { retryWhileBusy } = await import('../../storage/busy.ts')
  try {
    return await retryWhileBusy({ clock: realClock, random: Math.random }, patience, () => {
      const definitions = definitionsIn(file)
      try {
        return work(definitions)
      } finally {
        definitions.close()
      }
    })
  } catch {
    return `${file} cannot be read or written; ${environmentVariables.activityPath} names the file`
  }
}

const patience = { longestMs: 5000, pauseMs: [20, 60] } as const

function fail(message: string, { process }: CliContext): number {
  process.stderr.write(`hubu-unified-mcp: ${message}\n`)
  return 1
}

async function changesText(changes: readonly ChangedTool[], isJson: boolean, none: string): Promise<string> {
  const { aroundDifference, definitionDifference } = await import('../../activity/definition-difference.ts')
  if (isJson)
    return jsonLines({
      changes: changes.map(({ server, tool, atMs, ...versions }) => ({
        ...{ server, tool, at: new Date(atMs).toISOString(), differences: definitionDifference(versions) },
      })),
    })
  if (changes.length === 0) return none
  return changes
    .map((change) => {
      const lines = definitionDifference(change).flatMap(({ member, accepted = '', present = '' }) => {
        const [before, now] = aroundDifference(accepted, present)
        return [
          `  ${label(member, 200) || 'definition'}`,
          ...(before === '' ? [] : [`    - ${label(before)}`]),
          ...(now === '' ? [] : [`    + ${label(now)}`]),
        ]
      })
      return [
        `${label(change.server)}: ${label(change.tool, 200)}, since ${new Date(change.atMs).toISOString()}`,
        ...lines,
      ]
    })
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}
