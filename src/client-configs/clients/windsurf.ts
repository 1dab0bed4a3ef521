import { jsonc } from '../../documents/json.ts'
import { pathOf } from '../environment.ts'
import { type Client } from './client.ts'
import { clickTable } from './manual.ts'
import { standardShape } from './shapes.ts'

/** Windsurf: tools are switched on and off in the app; nothing that we can read says whether it asks. */
export const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  approval: { class: 'cannot', bypass: 'Windsurf keeps its approvals in the app; nothing readable says that it asks.' },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope !== 'user') return []
    return [join('windsurf', 'mcp_config.json'), 'mcp_config.json'].map((name) =>
      join(environment.home, '.codeium', name),
    )
  },
  section: () => ['mcpServers'],
  shape: standardShape({ remote: 'server-url' }),
  approvals: ({ lists }) => ({ manual: clickTable('Windsurf', lists) }),
}
