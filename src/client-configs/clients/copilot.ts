import { jsonc } from '../../documents/json.ts'
import { type TreeNode } from '../../documents/tree.ts'
import { type Environment, pathOf, variable } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { itemsAt, membersAt, openFiles, scalarIn } from './look-up.ts'
import { obstacleAt } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** GitHub Copilot CLI: its approvals are state of the app, which is read and never edited. */
export const copilot: Client = {
  name: 'copilot',
  aliases: ['copilot-cli', 'github-copilot'],
  title: 'Copilot CLI',
  approval: { class: 'native', bypass: 'Copilot CLI asks nobody when started with --allow-all-tools.' },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    if (scope === 'project') return [join(environment.cwd, '.mcp.json'), join(environment.cwd, '.github', 'mcp.json')]
    return [join(home(environment), 'mcp-config.json')]
  },
  section: () => ['mcpServers'],
  shape: standardShape({ localType: 'stdio', remote: 'typed' }),
  entryDefaults: { tools: ['*'] },
  approvals,
}

function approvals({ lists, environment, look }: ApprovalRequest): Approvals {
  const path = pathOf(environment).join(home(environment), 'permissions-config.json')
  const obstacles = openFiles([path], jsonc, look).flatMap((file) =>
    membersAt(file.document, ['locations'])
      .flatMap(({ key }) => itemsAt(file.document, ['locations', key, 'tool_approvals']))
      .filter(coversAll)
      .map((approval) =>
        obstacleAt(
          file,
          approval,
          `allows every tool of ${entryName}, so Copilot CLI would not ask for protected ones`,
          'Take that approval back, or run init without --trust-client-approval.',
        ),
      ),
  )
  return {
    manual: [
      'Start Copilot CLI with these flags to have the tools run without a question:',
      ...lists.auto.map((tool) => `  --allow-tool '${entryName}(${tool})'`),
    ],
    trustObstacles: () => obstacles,
  }
}

function coversAll(approval: TreeNode): boolean {
  return scalarIn(approval, 'serverName') === entryName && (scalarIn(approval, 'toolName') ?? null) === null
}

function home(environment: Environment): string {
  return variable(environment, 'COPILOT_HOME') ?? pathOf(environment).join(environment.home, '.copilot')
}
