// Clients that keep servers as `mcpServers` in a JSON file and of whose approvals nothing readable is documented.
import { jsonc } from '../../documents/json.ts'
import { type Path } from '../../documents/tree.ts'
import { applicationFolder, configFolder, type Environment, pathOf } from '../environment.ts'
import { type Client } from './client.ts'
import { clickTable } from './manual.ts'
import { standardShape, type StandardOptions } from './shapes.ts'

interface PlainClient {
  name: string
  title: string
  aliases?: readonly string[]
  /** The user's file. */
  user(environment: Environment): string
  /** The project's file below the project's folder, where there is one. */
  project?: readonly string[]
  section?: Path
  shape?: StandardOptions
}

/** A file below the home folder. */
const inHome =
  (...steps: string[]) =>
  (environment: Environment): string =>
    pathOf(environment).join(environment.home, ...steps)

/** The settings file of an extension of VS Code. */
const inExtension =
  (extension: string, file: string) =>
  (environment: Environment): string =>
    pathOf(environment).join(
      applicationFolder(environment),
      'Code',
      'User',
      'globalStorage',
      extension,
      'settings',
      file,
    )

const described: PlainClient[] = [
  {
    name: 'droid',
    title: 'Droid',
    aliases: ['factory'],
    user: inHome('.factory', 'mcp.json'),
    project: ['.factory', 'mcp.json'],
    shape: { localType: 'stdio', remote: 'typed' },
  },
  { name: 'auggie', title: 'Auggie', aliases: ['augment'], user: inHome('.augment', 'settings.json') },
  {
    name: 'amp',
    title: 'Amp',
    user: (environment) => pathOf(environment).join(configFolder(environment), 'amp', 'settings.json'),
    project: ['.amp', 'settings.json'],
    section: ['amp.mcpServers'],
  },
  {
    name: 'kiro',
    title: 'Kiro',
    user: inHome('.kiro', 'settings', 'mcp.json'),
    project: ['.kiro', 'settings', 'mcp.json'],
  },
  { name: 'junie', title: 'Junie', user: inHome('.junie', 'mcp', 'mcp.json'), project: ['.junie', 'mcp', 'mcp.json'] },
  { name: 'cline', title: 'Cline', user: inExtension('saoudrizwan.claude-dev', 'cline_mcp_settings.json') },
  {
    name: 'roo',
    title: 'Roo Code',
    aliases: ['roocode'],
    user: inExtension('rooveterinaryinc.roo-cline', 'mcp_settings.json'),
    project: ['.roo', 'mcp.json'],
  },
  { name: 'antigravity', title: 'Antigravity', user: inHome('.gemini', 'antigravity', 'mcp_config.json') },
  { name: 'openhands', title: 'OpenHands', user: inHome('.openhands', 'mcp.json') },
]

/** All of them, as clients. */
export const plainClients: readonly Client[] = described.map(
  ({ name, title, aliases = [], user, project, section = ['mcpServers'], shape = { remote: 'url' } }): Client => ({
    name,
    aliases,
    title,
    approval: { class: 'cannot', bypass: `Nothing of ${title} that we can read says whether it asks.` },
    format: jsonc,
    files(environment, scope) {
      if (scope === 'user') return [user(environment)]
      return scope === 'project' && project !== undefined ? [pathOf(environment).join(environment.cwd, ...project)] : []
    },
    section: () => section,
    shape: standardShape(shape),
    approvals: ({ lists }) => ({ manual: clickTable(title, lists) }),
  }),
)
