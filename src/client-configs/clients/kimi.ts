import { jsonc } from '../../documents/json.ts'
import { toml } from '../../documents/toml.ts'
import { type Environment, pathOf, variable } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { itemsAt, openFiles, scalarIn } from './look-up.ts'
import { matches } from './manual.ts'
import { obstacleAt, type OpenedFile, settingObstacles, type TrustObstacle } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** Kimi Code: servers in JSON, permission rules in a TOML file beside it. */
export const kimi: Client = {
  name: 'kimi',
  aliases: ['kimi-code', 'kimi-cli'],
  title: 'Kimi Code',
  approval: { class: 'native', bypass: 'Kimi Code asks nobody in auto and yolo mode.' },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    if (scope === 'project') return [join(environment.cwd, '.kimi-code', 'mcp.json')]
    const older = join(environment.home, '.kimi', 'mcp.json')
    return variable(environment, 'KIMI_CODE_HOME') === undefined
      ? [join(home(environment), 'mcp.json'), older]
      : [join(home(environment), 'mcp.json')]
  },
  section: () => ['mcpServers'],
  shape: standardShape({ remote: 'url' }),
  approvals,
}

const rulesPath = ['permission', 'rules']

function approvals({ lists, environment, entryFile, look }: ApprovalRequest): Approvals {
  const { join, dirname } = pathOf(environment)
  const path = join(dirname(entryFile), 'config.toml')
  const pattern = (tool: string): string => `mcp__${entryName}__${tool}`
  const files = openFiles([...new Set([path, join(home(environment), 'config.toml')])], toml, look)
  const items = lists.auto.map((tool) => ({ decision: 'allow', pattern: pattern(tool) }))
  return {
    files: [{ kind: 'edits', path, format: toml, edits: [{ kind: 'append', path: rulesPath, items }] }],
    trustObstacles: () =>
      files.flatMap((file) => [...modeObstacles(file), ...ruleObstacles(file, lists.ask.map(pattern))]),
  }
}

/** `auto` and `yolo`, and the older switch for the latter, run everything without a question. */
function modeObstacles(file: OpenedFile): TrustObstacle[] {
  const say =
    (key: string) =>
    (source: string): { what: string; remedy: string } => ({
      what: `sets ${key} to ${source}, so Kimi Code would ask nobody`,
      remedy: `Set default_permission_mode to "manual" and remove default_yolo there, or run init without --trust-client-approval.`,
    })
  return [
    ...settingObstacles(
      file,
      ['default_permission_mode'],
      (mode) => typeof mode === 'string' && mode !== 'manual',
      say('default_permission_mode'),
    ),
    ...settingObstacles(file, ['default_yolo'], (value) => value === true, say('default_yolo')),
  ]
}

function ruleObstacles(file: OpenedFile, asked: readonly string[]): TrustObstacle[] {
  return itemsAt(file.document, rulesPath).flatMap((rule) => {
    const pattern = String(scalarIn(rule, 'pattern'))
    const isWide = scalarIn(rule, 'decision') === 'allow' && asked.some((tool) => matches(pattern, tool))
    if (!isWide) return []
    const what = `allows ${pattern}, so Kimi Code would run protected tools without asking`
    return [obstacleAt(file, rule, what, 'Remove that rule, or run init without --trust-client-approval.')]
  })
}

function home(environment: Environment): string {
  return variable(environment, 'KIMI_CODE_HOME') ?? pathOf(environment).join(environment.home, '.kimi-code')
}
