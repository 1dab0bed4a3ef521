import { yaml } from '../../documents/yaml.ts'
import { pathOf } from '../environment.ts'
import { type Client } from './client.ts'
import { expandsDollar } from './manual.ts'
import { standardShape } from './shapes.ts'

/** Hermes: one switch per server; `untrusted` asks for every tool that does not call itself read-only. */
export const hermes: Client = {
  name: 'hermes',
  title: 'Hermes',
  approval: {
    class: 'untrusted-switch',
    bypass: 'Hermes asks nobody for a server whose trust is "full", which is its default.',
  },
  format: yaml,
  files: (environment, scope) =>
    scope === 'user' ? [pathOf(environment).join(environment.home, '.hermes', 'config.yaml')] : [],
  section: () => ['mcp_servers'],
  shape: standardShape({ remote: 'url' }),
  expands: expandsDollar,
  approvals: () => ({
    entry: { trust: 'untrusted' },
    notes: [
      'Hermes has one switch for a whole server: it will also ask for the two spend tools and for the Gongbu tools.',
    ],
  }),
}
