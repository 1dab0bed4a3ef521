// Pure: the tools of a server under the names that we give them.
import { createHash } from 'node:crypto'
import { planShortNames, publicName } from '../names/short-name.ts'
import type { AdmittedTool } from './admission/admit.ts'

/** One tool of a mounted server; `shown` is as `tools/list` shows it. */
export interface MountedTool extends AdmittedTool {
  server: string
  wireName: string
  shortName: string
  publicName: string
}

/** Hosts accept only such names. */
const hostName = /^[a-zA-Z0-9_-]{1,64}$/
/** A longer wire name is no name that anybody meant. */
const nameLimit = 1024

/**
 * The tools of one server under their public names; of two with one wire name the first counts. Those of a server without prefix
 * (`isBare`) keep their own names and descriptions.
 */
export function mountTools(server: string, tools: readonly AdmittedTool[], isBare = false): MountedTool[] {
  const usable = new Map<string, AdmittedTool>()
  for (const tool of tools) {
    const { name } = tool.listed
    if (name !== '' && name.length <= nameLimit && !usable.has(name)) usable.set(name, tool)
  }
  if (isBare)
    return [...usable].map(([name, tool]) => ({ ...tool, server, wireName: name, shortName: name, publicName: name }))
  const plan = planShortNames(server, [...usable.keys()])
  return [...usable].map(([wireName, tool]) => {
    const part = plan.get(wireName) ?? wireName
    const name = toHostName(publicName(server, part))
    return { ...tool, server, wireName, shortName: part, publicName: name, shown: show(name, server, tool.shown) }
  })
}

/** A complete copy in which only the name and the description change. */
function show(name: string, server: string, shown: AdmittedTool['shown']): AdmittedTool['shown'] {
  if (shown.kind === 'left_out') return shown
  const description = `[${server}] ${typeof shown.definition.description === 'string' ? shown.definition.description : ''}`
  return { kind: 'definition', definition: { ...shown.definition, name, description } }
}

/**
 * The public name in the letters that hosts accept. A name that has to be changed or cut ends in a digest of the whole, so that
 * two of them stay different.
 */
function toHostName(name: string): string {
  if (hostName.test(name)) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${digest}`
}
