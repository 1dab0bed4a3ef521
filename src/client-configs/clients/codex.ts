import { toml } from '../../documents/toml.ts'
import { nodeAt } from '../../documents/tree.ts'
import { pathOf, variable } from '../environment.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { isReferenceBlock } from './codex-marker.ts'
import { standardShape } from './shapes.ts'

/** OpenAI Codex: one TOML file, approvals per tool in the entry itself. */
export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  approval: {
    class: 'pinned',
    bypass:
      'Codex asks nobody when approval_policy is "never" together with full access, not even for tools set to prompt.',
  },
  format: toml,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    if (scope === 'project') return [join(environment.cwd, '.codex', 'config.toml')]
    return [join(variable(environment, 'CODEX_HOME') ?? join(environment.home, '.codex'), 'config.toml')]
  },
  section: () => ['mcp_servers'],
  shape: standardShape({ remote: 'url' }),
  entryDefaults: { startup_timeout_sec: 10, tool_timeout_sec: 60 },
  adopts: isReferenceBlock,
  freezesCatalog: true,
  approvals,
}

function approvals({ lists, entryFile, look }: ApprovalRequest): Approvals {
  const tools = Object.fromEntries([
    ...lists.auto.map((tool) => [tool, { approval_mode: 'approve' }]),
    ...lists.ask.map((tool) => [tool, { approval_mode: 'prompt' }]),
  ]) as Record<string, { approval_mode: string }>
  const policy = look(entryFile, toml)?.root
  const node = policy && nodeAt(policy, ['approval_policy'])
  const isNever = node?.kind === 'scalar' && node.value === 'never'
  const note = 'approval_policy is "never" in this file: with full access Codex skips these questions as well.'
  return { entry: { tools }, notes: isNever ? [note] : [] }
}
