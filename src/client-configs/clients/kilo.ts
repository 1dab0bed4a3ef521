import { jsonc } from '../../documents/json.ts'
import { configFolder, pathOf } from '../environment.ts'
import { type Client } from './client.ts'
import { permissionApprovals } from './permission-object.ts'
import { listShape } from './shapes.ts'

/** Kilo: opencode's format under several file names. */
export const kilo: Client = {
  name: 'kilo',
  aliases: ['kilocode', 'kilo-code'],
  title: 'Kilo',
  approval: {
    class: 'pinned',
    bypass: 'Kilo asks nobody when an agent of yours overrides these permissions with "allow".',
  },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    if (scope === 'project') {
      return ['kilo.json', 'kilo.jsonc', join('.kilo', 'kilo.json'), join('.kilo', 'kilo.jsonc')].map((name) =>
        join(environment.cwd, name),
      )
    }
    const names = ['kilo.json', 'kilo.jsonc', 'opencode.json', 'opencode.jsonc', 'config.json']
    return names.map((name) => join(configFolder(environment), 'kilo', name))
  },
  section: () => ['mcp'],
  shape: listShape,
  entryDefaults: { timeout: 15_000 },
  expands: (value) => /\{(?:env|file):/.test(value),
  homeReference: '{env:HOME}',
  approvals: (request) => permissionApprovals('Kilo', request),
}
