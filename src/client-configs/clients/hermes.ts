import { yaml } from '../../documents/yaml.ts'
import { type Environment, pathOf, variable } from '../environment.ts'
import { type Client } from './client.ts'
import { expandsDollar } from './manual.ts'
import { standardShape } from './shapes.ts'

/** Hermes: it has a switch per server that is said to make it ask, which no release we know of reads. */
export const hermes: Client = {
  name: 'hermes',
  aliases: ['hermes-agent'],
  title: 'Hermes',
  approval: {
    class: 'cannot',
    bypass: 'Hermes 0.19.0 reads no setting that makes it ask before a tool of a server.',
  },
  format: yaml,
  files: (environment, scope) => (scope === 'user' ? [pathOf(environment).join(home(environment), 'config.yaml')] : []),
  section: () => ['mcp_servers'],
  shape: standardShape({ remote: 'url' }),
  expands: expandsDollar,
  approvals: () => ({
    entry: { trust: 'untrusted' },
    notes: [
      'Hermes has one switch for a whole server, trust. Where a release heeds it, it also asks for the two spend tools and the Gongbu tools; Hermes 0.19.0 runs everything without asking.',
    ],
  }),
}

function home(environment: Environment): string {
  return variable(environment, 'HERMES_HOME') ?? pathOf(environment).join(environment.home, '.hermes')
}
