// Pure: what of a server is another thing through us than directly.
import { isDeepStrictEqual } from 'node:util'
import { planShortNames, publicName } from '../../../src/names/short-name.ts'

/** A definition as `tools/list` gives it. */
export type Definition = { name: string } & Record<string, unknown>

/** How tools through us compare with direct ones. */
export interface Comparison {
  equal: number
  all: number
  /** A few words for each tool that is missing, too many, or has another member. */
  differences: string[]
}

/**
 * Compares definitions. What we change on purpose is no difference: the server's name stands before a tool's name and description, a
 * receipt may take the place of what an output schema promises, and how a tool may be run as a task is our matter.
 */
export function compareTools(
  server: string,
  direct: readonly Definition[],
  through: readonly Definition[],
): Comparison {
  const names = planShortNames(
    server,
    direct.map(({ name }) => name),
  )
  const ours = new Map(through.map((tool) => [tool.name, tool]))
  const differences = direct.flatMap((tool) => {
    const found = ours.get(publicName(server, names.get(tool.name) ?? ''))
    if (found === undefined) return [`${tool.name} is missing`]
    ours.delete(found.name)
    const [theirs, plain] = [withoutTasks(tool), asServed(server, found)]
    const members = [...new Set([...Object.keys(theirs), ...Object.keys(plain)])]
    const other = members.filter((member) => member !== 'name' && !isDeepStrictEqual(theirs[member], plain[member]))
    return other.length === 0 ? [] : [`${tool.name} differs in ${other.join(', ')}`]
  })
  const surplus = [...ours.keys()].map((name) => `${name} is not the server's`)
  return { equal: direct.length - differences.length, all: direct.length, differences: [...differences, ...surplus] }
}

const withoutTasks = ({ execution: _, ...tool }: Definition): Definition => tool

/** A definition through us, without what we changed on purpose. */
function asServed(server: string, { description, outputSchema, ...tool }: Definition): Definition {
  const prefix = `[${server}] `
  const said = typeof description === 'string' && description.startsWith(prefix)
  const { anyOf, $schema } = (outputSchema ?? {}) as { anyOf?: object[]; $schema?: string }
  return {
    ...tool,
    ...(description !== undefined && { description: said ? description.slice(prefix.length) : description }),
    ...(outputSchema !== undefined && { outputSchema: { ...($schema && { $schema }), ...anyOf?.[0] } }),
  }
}

/** The members of an answer that differ; an answer that failed proves nothing, and is one. */
export function compareAnswers(direct: Readonly<Record<string, unknown>>, through: typeof direct): string[] {
  const members = [...new Set([...Object.keys(direct), ...Object.keys(through)])]
  return members.filter((member) => member === 'isError' || !isDeepStrictEqual(direct[member], through[member]))
}
