import { jsonc } from '../../documents/json.ts'
import { nodeAt } from '../../documents/tree.ts'
import { pathOf } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { textsAt } from './look-up.ts'
import { matches } from './manual.ts'
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
  approvals,
}

const listKey = 'mcpAllowlist'

function approvals({ lists, environment, scope, look }: ApprovalRequest): Approvals {
  const { join } = pathOf(environment)
  const item = (tool: string): string => `${entryName}:${tool}`
  const files = [environment.home, environment.cwd].map((folder) => join(folder, '.cursor', 'permissions.json'))
  const present = files.flatMap((path) => {
    const document = look(path, jsonc)
    const hasList = document !== undefined && nodeAt(document.root, [listKey]) !== undefined
    return hasList ? [{ path, items: textsAt(document, [listKey]) }] : []
  })
  const wide = present.flatMap(({ path, items }) =>
    items.filter((text) => lists.ask.some((tool) => matches(text, item(tool)))).map((text) => ({ path, text })),
  )[0]
  const refusal = wide && `${wide.path} allows ${wide.text}, so Cursor would run protected tools without asking`
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
    ...(refusal === undefined ? {} : { trustRefusal: refusal }),
  }
}
