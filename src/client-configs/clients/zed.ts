import { jsonc } from '../../documents/json.ts'
import { configFolder, pathOf, variable } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { openFiles } from './look-up.ts'
import { settingObstacles } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** Zed: per-tool permissions in the same settings file. */
export const zed: Client = {
  name: 'zed',
  title: 'Zed',
  approval: { class: 'pinned', bypass: 'Zed follows its global default only for tools without a rule of their own.' },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    const { cwd, home, platform } = environment
    if (scope === 'local') return []
    if (scope === 'project') return [join(cwd, '.zed', 'settings.json')]
    if (platform === 'win32')
      return [join(variable(environment, 'APPDATA') ?? join(home, 'AppData', 'Roaming'), 'Zed', 'settings.json')]
    return [join(configFolder(environment), 'zed', 'settings.json')]
  },
  section: () => ['context_servers'],
  shape: standardShape({ remote: 'url' }),
  entryDefaults: { source: 'custom' },
  approvals,
}

function approvals({ lists, entryFile, look }: ApprovalRequest): Approvals {
  const rule = (tool: string, decision: string): [string, { default: string }] => [
    `mcp:${entryName}:${tool}`,
    { default: decision },
  ]
  const members = Object.fromEntries([
    ...lists.auto.map((tool) => rule(tool, 'allow')),
    ...lists.ask.map((tool) => rule(tool, 'confirm')),
  ])
  return {
    edits: [{ kind: 'merge', path: ['agent', 'tool_permissions', 'tools'], members }],
    trustObstacles: () =>
      openFiles([entryFile], jsonc, look).flatMap((file) =>
        settingObstacles(
          file,
          ['agent', 'always_allow_tool_actions'],
          (value) => value === true,
          () => ({
            what: 'sets always_allow_tool_actions to true, so Zed may run every tool without asking',
            remedy: 'Remove it there, or run init without --trust-client-approval.',
          }),
        ),
      ),
    notes: ['These permissions need Zed 0.224 or newer; an older Zed asks for every tool.'],
  }
}
