import { jsonc } from '../../documents/json.ts'
import { toml } from '../../documents/toml.ts'
import { type Environment, pathOf, variable } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { itemsAt, scalarIn } from './look-up.ts'
import { matches } from './manual.ts'
import { standardShape } from './shapes.ts'

/** Kimi Code: servers in JSON, permission rules in a TOML file beside it. */
export const kimi: Client = {
  name: 'kimi',
  title: 'Kimi Code',
  approval: { class: 'native', bypass: 'Kimi Code asks nobody in yolo mode.' },
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
  const allowed = itemsAt(look(path, toml), rulesPath)
    .filter((rule) => scalarIn(rule, 'decision') === 'allow')
    .map((rule) => String(scalarIn(rule, 'pattern')))
  const wide = allowed.find((text) => lists.ask.some((tool) => matches(text, pattern(tool))))
  const refusal = `${path} allows ${wide}, so Kimi Code would run protected tools without asking`
  const items = lists.auto.map((tool) => ({ decision: 'allow', pattern: pattern(tool) }))
  return {
    files: [{ kind: 'edits', path, format: toml, edits: [{ kind: 'append', path: rulesPath, items }] }],
    ...(wide === undefined ? {} : { trustRefusal: refusal }),
  }
}

function home(environment: Environment): string {
  return variable(environment, 'KIMI_CODE_HOME') ?? pathOf(environment).join(environment.home, '.kimi-code')
}
