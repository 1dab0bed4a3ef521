// The servers and tools that meta-tool cases speak of, as servers of a configuration.
import { catalogF } from '../gateway/fixture-catalog.ts'
import { mounted } from './lazy-router.ts'

/** The enabled servers: an agent with just these in its scope sees nothing of Hubu and Gongbu. */
export const namesF = ['atlas', 'ledger', 'scribe']

/**
 * atlas, ledger and scribe with their five tools, which answer with what they were asked unless `script` says otherwise, and attic,
 * which is off.
 */
export function serversF(script: object = {}): Record<string, object> {
  const tools = catalogF()
  const entries = namesF.map((name) => {
    const own = tools.filter(({ server }) => server.name === name)
    const { description, tags, useWhen } = own[0]?.server ?? {}
    const hints = own.filter((tool) => tool.useWhen.length > 0).map((tool) => [tool.wireName, tool.useWhen])
    const listed = own.map(({ wireName, title, description, inputSchema }) => ({
      name: wireName,
      ...(title !== '' && { title }),
      description,
      inputSchema,
    }))
    const settings = { description, tags, use_when: useWhen, tool_use_when: Object.fromEntries(hints) as object }
    return [name, { ...mounted({ ...script, tools: listed }), ...settings }] as const
  })
  return { ...Object.fromEntries(entries), attic: { ...mounted(), enabled: false } }
}
