import { jsonc } from '../../documents/json.ts'
import { configFolder, pathOf } from '../environment.ts'
import { type Client } from './client.ts'
import { permissionApprovals } from './permission-object.ts'
import { listShape } from './shapes.ts'

/** opencode: everything is allowed unless `permission` says otherwise, and the last match wins. */
export const opencode: Client = {
  name: 'opencode',
  aliases: ['open-code'],
  title: 'opencode',
  approval: {
    class: 'pinned',
    bypass: 'opencode asks nobody when an agent of yours overrides these permissions with "allow".',
  },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    const folder = scope === 'project' ? environment.cwd : join(configFolder(environment), 'opencode')
    return ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name))
  },
  section: () => ['mcp'],
  shape: listShape,
  entryDefaults: { timeout: 15_000 },
  expands: (value) => /\{(?:env|file):/.test(value),
  homeReference: '{env:HOME}',
  approvals: (request) => permissionApprovals('opencode', request),
}
