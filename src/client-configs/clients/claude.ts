import { json } from '../../documents/json.ts'
import { type Environment, pathOf, variable } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client, type SetupScope } from './client.ts'
import { openFiles, textsAt } from './look-up.ts'
import { expandsDollar } from './manual.ts'
import { type OpenedFile, settingObstacles, type TrustObstacle } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** Claude Code: servers in `~/.claude.json` or `.mcp.json`, permission rules in its settings files. */
export const claude: Client = {
  name: 'claude',
  aliases: ['claudecode', 'claude-code'],
  title: 'Claude Code',
  approval: {
    class: 'pinned',
    bypass: 'Claude Code asks nobody in bypassPermissions mode; its auto mode is reported to pass over "ask" rules.',
  },
  format: json,
  files(environment, scope) {
    const { join } = pathOf(environment)
    return [scope === 'project' ? join(environment.cwd, '.mcp.json') : places(environment).serversFile]
  },
  section: (environment, scope) => (scope === 'local' ? ['projects', environment.cwd, 'mcpServers'] : ['mcpServers']),
  shape: standardShape({ remote: 'typed' }),
  expands: expandsDollar,
  homeReference: '${HOME}',
  // 25,000 tokens at about three characters each.
  outputLimitChars: 75_000,
  freezesCatalog: true,
  sendsCallId: true,
  ownStep: (scope) =>
    scope === 'project'
      ? 'Claude Code asks once in each project before it starts a server of .mcp.json: open it there and approve hubu.'
      : undefined,
  approvals,
}

function approvals({ lists, environment, scope, look }: ApprovalRequest): Approvals {
  const rule = (tool: string): string => `mcp__${entryName}__${tool}`
  const file = rulesFile(environment, scope)
  const settings = openFiles(settingsFiles(environment), json, look)
  const ours = new Set([...lists.auto, ...lists.ask].map(rule))
  const denied = settings.flatMap(({ path, document }) =>
    textsAt(document, ['permissions', 'deny'])
      .filter((text) => ours.has(text) || text === `mcp__${entryName}` || text === `mcp__${entryName}__*`)
      .map((text) => `${path} denies ${text}; that rule is kept and wins.`),
  )
  return {
    files: [
      {
        kind: 'edits',
        path: file,
        format: json,
        edits: [
          { kind: 'append', path: ['permissions', 'allow'], items: lists.auto.map(rule) },
          { kind: 'append', path: ['permissions', 'ask'], items: lists.ask.map(rule) },
        ],
      },
    ],
    notes: denied,
    trustObstacles: () => settings.flatMap(modeObstacles),
  }
}

/** In these modes Claude Code asks nobody, or a model decides. */
const modesThatDoNotAsk: readonly unknown[] = ['bypassPermissions', 'auto']

function modeObstacles(file: OpenedFile): TrustObstacle[] {
  return settingObstacles(
    file,
    ['permissions', 'defaultMode'],
    (mode) => modesThatDoNotAsk.includes(mode),
    (source) => ({
      what: `sets defaultMode to ${source.replaceAll('"', '')}, so Claude Code would ask nobody`,
      remedy: 'Set defaultMode to "default" there, or run init without --trust-client-approval.',
    }),
  )
}

/** Claude Code's own folder, and the file with its servers, which lies beside that folder unless the folder was moved. */
function places(environment: Environment): { folder: string; serversFile: string } {
  const { join } = pathOf(environment)
  const moved = variable(environment, 'CLAUDE_CONFIG_DIR')
  const folder = moved ?? join(environment.home, '.claude')
  return { folder, serversFile: join(moved ?? environment.home, '.claude.json') }
}

/** Rules of one's own in a project stay out of the files that are committed. */
function rulesFile(environment: Environment, scope: SetupScope): string {
  const { join } = pathOf(environment)
  return scope === 'user'
    ? join(places(environment).folder, 'settings.json')
    : join(environment.cwd, '.claude', 'settings.local.json')
}

function settingsFiles(environment: Environment): string[] {
  const { join } = pathOf(environment)
  const project = ['settings.json', 'settings.local.json'].map((name) => join(environment.cwd, '.claude', name))
  const managed = join(systemFolder(environment), 'managed-settings.json')
  return [...new Set([join(places(environment).folder, 'settings.json'), ...project, managed])]
}

/** Where an administrator's settings lie. */
function systemFolder({ platform }: Environment): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode'
  return platform === 'win32' ? 'C:\\Program Files\\ClaudeCode' : '/etc/claude-code'
}
