import { describe, expect, test } from 'vitest'
import { toolDefinitions, toolTitles } from '#generated/catalog.js'
import { metaToolDefinitions } from '#generated/meta-tools.js'

type Node = { description?: string; properties?: Record<string, Node> }

/** Every member of a schema with its dotted name. */
function membersOf(schema: Node, prefix = ''): [name: string, node: Node][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]): [string, Node][] => [
    [`${prefix}${name}`, node],
    ...membersOf(node, `${prefix}${name}.`),
  ])
}

const allTools = [...toolDefinitions.map((tool) => ({ ...tool, title: toolTitles[tool.name] })), ...metaToolDefinitions]
const toolNames: readonly string[] = allTools.map(({ name }) => name)

describe.each(allTools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  const members = membersOf(tool.inputSchema as Node)
  const texts = [tool.description, ...members.map(([, node]) => node.description ?? '')]

  test('has a title and a description for a model that must choose, and a description of each member', () => {
    expect(tool.title).toMatch(/^[A-Z]/)
    expect(tool.description.length).toBeGreaterThan(100)
    for (const [member, node] of members) expect(node.description, member).toMatch(/\w{3}/)
  })

  test('takes no operation key and no harness identity as an argument', () => {
    const trusted = /operation_key|idempotency|task_id|invocation|installation|call_?id$|tool_use|platform|_meta/i
    const named = members.map(([member]) => member).filter((member) => trusted.test(member))
    // The ids of stored results and of detached calls are public and only happen to be named like Codex's call id.
    expect(named).toEqual(['get_result', 'poll_result'].includes(tool.name) ? ['callId'] : [])
  })

  test('asks nowhere for a key of the model or a new one per call', () => {
    for (const text of texts) {
      expect(text).not.toMatch(/operation[ _-]key|idempotency|unique (key|id)|(new|fresh|generate|random|uuid v4) key/i)
      expect(text).not.toMatch(
        /(generate|invent|choose|make up|pass|supply|provide) an? (new |unique |fresh |random )?(key|uuid)\b/i,
      )
    }
  })

  test('names only tools that exist, and never asks for a replacement of a spend', () => {
    // Members of results stand in backticks, tools do not.
    const mentioned =
      texts
        .join(' ')
        .replace(/`[^`]*`/g, '')
        .match(/\b(hubu|gongbu)_[a-z_]+/g) ?? []
    expect(mentioned.filter((word) => !toolNames.includes(word))).toEqual([])
    expect(texts.join(' ')).not.toMatch(/submit (it|the spend) again|call again with a new/i)
  })

  test('is plain text without dashes for pauses, runs of blanks or typographic quotes', () => {
    for (const text of texts) expect(text).not.toMatch(/[—–“”‘’…]|\S {2,}\S|\s$|\t/)
  })
})
