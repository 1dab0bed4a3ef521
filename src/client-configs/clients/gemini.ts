import { jsonc } from '../../documents/json.ts'
import { renderTomlValue } from '../../documents/toml-render.ts'
import { pathOf } from '../environment.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { scalarAt } from './look-up.ts'
import { expandsDollar } from './manual.ts'
import { standardShape } from './shapes.ts'

/** Gemini CLI: a policy file of our own decides; the entry only says that it is not trusted as a whole. */
export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  approval: {
    class: 'pinned',
    bypass:
      "Gemini CLI lets an administrator's policies and a user's own of higher priority win; without a terminal it denies what it would ask for.",
  },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    return [join(scope === 'project' ? environment.cwd : environment.home, '.gemini', 'settings.json')]
  },
  section: () => ['mcpServers'],
  shape: standardShape({ remote: 'http-url' }),
  expands: (value, platform) => expandsDollar(value) || (platform === 'win32' && /%.+%/.test(value)),
  outputLimitChars: 40_000,
  approvals,
}

/**
 * The rule that asks stands above `trust` (200), `--allowed-tools` (300) and confirmations (350), and below what a user
 * excludes (400, 900).
 */
const priorities = { allow: 100, ask: 390 }

function approvals({ lists, environment, entryFile, entryPath, look }: ApprovalRequest): Approvals {
  const { join } = pathOf(environment)
  const path = join(environment.home, '.gemini', 'policies', 'hubu-unified-mcp.toml')
  const document = look(entryFile, jsonc)
  const isTrusted = scalarAt(document, [...entryPath, 'trust']) === true
  const refusal = `the entry in ${entryFile} has trust: true, which runs every tool of the server without asking`
  return {
    entryDefaults: { trust: false },
    files: [{ kind: 'whole', path, text: policyFile(lists) }],
    ...(isTrusted ? { trustRefusal: refusal } : {}),
  }
}

function policyFile(lists: ApprovalLists): string {
  const rule = (tools: string[], decision: string, priority: number): string =>
    [
      '[[rule]]',
      `mcpName = ${renderTomlValue(entryName)}`,
      `toolName = ${renderTomlValue(tools)}`,
      `decision = ${renderTomlValue(decision)}`,
      `priority = ${priority}`,
      '',
    ].join('\n')
  return [
    '# Written by `hubu-unified-mcp init gemini`; `init --undo gemini` removes it.',
    rule(lists.auto, 'allow', priorities.allow),
    rule(lists.ask, 'ask_user', priorities.ask),
  ].join('\n')
}
