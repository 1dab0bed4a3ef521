import { jsonc } from '../../documents/json.ts'
import { nodeAt } from '../../documents/tree.ts'
import { pathOf } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { openFiles } from './look-up.ts'
import { listObstacles } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** Cursor: an allow list that replaces the one of the app once it exists, so it is only extended. */
export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  approval: {
    class: 'native',
    bypass: 'Cursor asks nobody in its run-everything mode; an administrator may widen its list as well.',
  },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    return [join(scope === 'project' ? environment.cwd : environment.home, '.cursor', 'mcp.json')]
  },
  section: () => ['mcpServers'],
  shape: standardShape({ remote: 'typed' }),
  homeReference: '${userHome}',
  approvals,
}

const listKey = 'mcpAllowlist'

function approvals({ lists, environment, scope, look }: ApprovalRequest): Approvals {
  const { join } = pathOf(environment)
  const item = (tool: string): string => `${entryName}:${tool}`
  const files = [environment.home, environment.cwd].map((folder) => join(folder, '.cursor', 'permissions.json'))
  const present = openFiles(files, jsonc, look).filter(({ document }) => nodeAt(document.root, [listKey]) !== undefined)
  const own = present.find(({ path }) => path === files[scope === 'project' ? 1 : 0])
  const add = lists.auto.map(item)
  return {
    ...(own === undefined
      ? {
          manual: [
            `Cursor keeps its allow list in the app. To have these tools run without a question, add to "${listKey}" there:`,
            ...add.map((text) => `  ${text}`),
          ],
        }
      : {
          files: [
            { kind: 'edits', path: own.path, format: jsonc, edits: [{ kind: 'append', path: [listKey], items: add }] },
          ],
        }),
    trustObstacles: () => present.flatMap((file) => listObstacles(file, [listKey], lists.ask.map(item), 'Cursor')),
  }
}
