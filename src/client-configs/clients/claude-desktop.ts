import { json } from '../../documents/json.ts'
import { applicationFolder, pathOf } from '../environment.ts'
import { type Client } from './client.ts'
import { clickTable } from './manual.ts'
import { standardShape } from './shapes.ts'

/** Claude Desktop: approvals are clicked in the app. */
export const claudeDesktop: Client = {
  name: 'claude-desktop',
  aliases: ['claudedesktop', 'desktop'],
  title: 'Claude Desktop',
  approval: {
    class: 'native',
    bypass: 'Claude Desktop asks no more for a tool once somebody chose "always allow" for it.',
  },
  format: json,
  files: (environment, scope) =>
    scope === 'user'
      ? [pathOf(environment).join(applicationFolder(environment), 'Claude', 'claude_desktop_config.json')]
      : [],
  section: () => ['mcpServers'],
  shape: standardShape({ remote: 'typed' }),
  approvals: ({ lists }) => ({ manual: clickTable('Claude Desktop', lists) }),
}
