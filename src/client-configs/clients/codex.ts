import { toml } from '../../documents/toml.ts'
import { commentsOf, formOf, parseToml } from '../../documents/toml-tree.ts'
import { nodeAt, type Path } from '../../documents/tree.ts'
import { type Environment, pathOf, variable } from '../environment.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { openFiles, scalarAt } from './look-up.ts'
import { type OpenedFile, settingObstacles, type TrustObstacle } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** OpenAI Codex: one TOML file, approvals per tool in the entry itself. */
export const codex: Client = {
  name: 'codex',
  aliases: ['codex-cli'],
  title: 'Codex',
  approval: {
    class: 'pinned',
    bypass:
      'Codex asks nobody when approval_policy is "never" together with full access, not even for tools set to prompt.',
  },
  format: toml,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    if (scope === 'project') return [join(environment.cwd, '.codex', 'config.toml')]
    return [join(codexHome(environment), 'config.toml')]
  },
  section: () => ['mcp_servers'],
  shape: standardShape({ remote: 'url' }),
  entryDefaults: { startup_timeout_sec: 10, tool_timeout_sec: 60 },
  adopts: isReferenceBlock,
  freezesCatalog: true,
  sendsCallId: true,
  ownStep: (scope) =>
    scope === 'project'
      ? "Codex reads a project's file only in a folder that it trusts: open it there and answer its question."
      : undefined,
  approvals,
}

function approvals({ lists, environment, entryFile, look }: ApprovalRequest): Approvals {
  const tools = Object.fromEntries([
    ...lists.auto.map((tool) => [tool, { approval_mode: 'approve' }]),
    ...lists.ask.map((tool) => [tool, { approval_mode: 'prompt' }]),
  ]) as Record<string, { approval_mode: string }>
  const files = openFiles([...new Set([entryFile, ...settingsFiles(environment)])], toml, look)
  return { entry: { tools }, trustObstacles: () => files.flatMap(obstaclesIn) }
}

/** Settings with which Codex does not ask a person, by the value that they must not have. */
const silentSettings: Record<string, (value: unknown) => boolean> = {
  approval_policy: (value) => value === 'never',
  sandbox_mode: (value) => value === 'danger-full-access',
  default_permissions: (value) => value === ':danger-full-access',
  // Another reviewer than the user is a model.
  approvals_reviewer: (value) => typeof value === 'string' && value !== 'user',
}

/** Judges a file's own settings, and those of the profile that it selects. */
function obstaclesIn(file: OpenedFile): TrustObstacle[] {
  const selected = scalarAt(file.document, ['profile'])
  const tables = typeof selected === 'string' ? [[], ['profiles', selected]] : [[]]
  return tables.flatMap((table) =>
    Object.entries(silentSettings).flatMap(([key, isSilent]) =>
      settingObstacles(file, [...table, key], isSilent, (source) => ({
        what: `sets ${key} to ${source}, so Codex may run protected tools without asking`,
        remedy: `Change or remove ${key} there, or run init without --trust-client-approval.`,
      })),
    ),
  )
}

/** The files that Codex merges: the user's, the project's, and an administrator's. */
function settingsFiles(environment: Environment): string[] {
  const { join } = pathOf(environment)
  const system = environment.platform === 'win32' ? [] : ['/etc/codex/config.toml', '/etc/codex/managed_config.toml']
  return [
    join(codexHome(environment), 'config.toml'),
    join(environment.cwd, '.codex', 'config.toml'),
    join(codexHome(environment), 'managed_config.toml'),
    ...system,
  ]
}

function codexHome(environment: Environment): string {
  return variable(environment, 'CODEX_HOME') ?? pathOf(environment).join(environment.home, '.codex')
}

const beginMarker = '>>> hubu managed codex mcp'
const endMarker = '<<< hubu managed codex mcp'

/** True when the whole entry stands between the two marker comments of `hubu init codex`: ours to take over. */
function isReferenceBlock(text: string, entryPath: Path): boolean {
  const comments = commentsOf(text)
  const begin = comments.find((comment) => comment.value === beginMarker)
  const end = begin && comments.find((comment) => comment.value === endMarker && comment.start > begin.end)
  const entry = nodeAt(parseToml(text).root, entryPath)
  if (begin === undefined || end === undefined || entry?.kind !== 'object') return false
  const form = formOf(entry)
  const sites = form.kind === 'tables' ? form.sites : [entry]
  return sites.every((site) => site.start > begin.end && site.end < end.start)
}
