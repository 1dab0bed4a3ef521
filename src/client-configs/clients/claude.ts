import { json } from '../../documents/json.ts'
import { type Environment, pathOf } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client, type Scope } from './client.ts'
import { scalarAt, textsAt } from './look-up.ts'
import { expandsDollar } from './manual.ts'
import { standardShape } from './shapes.ts'

/** Claude Code: servers in `~/.claude.json` or `.mcp.json`, permission rules in its settings files. */
export const claude: Client = {
  name: 'claude',
  aliases: ['claudecode'],
  title: 'Claude Code',
  approval: {
    class: 'pinned',
    bypass: 'Claude Code asks nobody in bypassPermissions mode; its auto mode is reported to pass over "ask" rules.',
  },
  format: json,
  files(environment, scope) {
    const { join } = pathOf(environment)
    return [scope === 'project' ? join(environment.cwd, '.mcp.json') : join(environment.home, '.claude.json')]
  },
  section: (environment, scope) => (scope === 'local' ? ['projects', environment.cwd, 'mcpServers'] : ['mcpServers']),
  shape: standardShape({ remote: 'typed' }),
  expands: expandsDollar,
  // 25,000 tokens at about three characters each.
  outputLimitChars: 75_000,
  freezesCatalog: true,
  approvals,
}

function approvals({ lists, environment, scope, look }: ApprovalRequest): Approvals {
  const rule = (tool: string): string => `mcp__${entryName}__${tool}`
  const file = rulesFile(environment, scope)
  const settings = settingsFiles(environment).flatMap((path) => {
    const document = look(path, json)
    return document === undefined ? [] : [{ path, document }]
  })
  const ours = new Set([...lists.auto, ...lists.ask].map(rule))
  const denied = settings.flatMap(({ path, document }) =>
    textsAt(document, ['permissions', 'deny'])
      .filter((text) => ours.has(text) || text === `mcp__${entryName}` || text === `mcp__${entryName}__*`)
      .map((text) => `${path} denies ${text}; that rule is kept and wins.`),
  )
  const bypassed = settings.find(
    ({ document }) => scalarAt(document, ['permissions', 'defaultMode']) === 'bypassPermissions',
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
    ...(bypassed === undefined
      ? {}
      : { trustRefusal: `${bypassed.path} sets defaultMode to bypassPermissions, so Claude Code would ask nobody` }),
  }
}

/** Rules of one's own in a project stay out of the files that are committed. */
function rulesFile(environment: Environment, scope: Scope): string {
  const { join } = pathOf(environment)
  return scope === 'user'
    ? join(environment.home, '.claude', 'settings.json')
    : join(environment.cwd, '.claude', 'settings.local.json')
}

function settingsFiles(environment: Environment): string[] {
  const { join } = pathOf(environment)
  const { home, cwd } = environment
  const files = [join(home, '.claude', 'settings.json')]
  const project = ['settings.json', 'settings.local.json'].map((name) => join(cwd, '.claude', name))
  return [...new Set([...files, ...project])]
}
