import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { jsonc } from '../../documents/json.ts'
import { renderTomlValue } from '../../documents/toml-render.ts'
import { toml } from '../../documents/toml.ts'
import { nodeAt, type TreeNode } from '../../documents/tree.ts'
import { type Environment, pathOf, variable } from '../environment.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { itemsAt, openFiles, scalarIn, textsAt } from './look-up.ts'
import { expandsDollar, matches } from './manual.ts'
import { obstacleAt, type OpenedFile, settingObstacles, type TrustObstacle } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** Gemini CLI: a policy file of our own decides; the entry only says that it is not trusted as a whole. */
export const gemini: Client = {
  name: 'gemini',
  aliases: ['gemini-cli'],
  title: 'Gemini CLI',
  approval: {
    class: 'pinned',
    bypass:
      "Gemini CLI lets an administrator's policies and a user's own of higher priority win; without a terminal it denies what it would ask for.",
  },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    return [join(scope === 'project' ? join(environment.cwd, '.gemini') : folderOf(environment), 'settings.json')]
  },
  section: () => ['mcpServers'],
  shape: standardShape({ remote: 'http-url' }),
  expands: (value, platform) => expandsDollar(value) || (platform === 'win32' && /%.+%/.test(value)),
  homeReference: '${HOME}',
  outputLimitChars: 40_000,
  ownStep: () =>
    'Gemini CLI starts no server in a folder that it does not trust: answer its question there, or use /permissions.',
  approvals,
}

/**
 * The rule that asks stands above `trust` (200), `--allowed-tools` (300) and confirmations (350), and below what a user
 * excludes (400, 900).
 */
const priorities = { allow: 100, ask: 390 }

function approvals({ lists, environment, entryFile, entryPath, look }: ApprovalRequest): Approvals {
  const { join } = pathOf(environment)
  const policies = join(folderOf(environment), 'policies')
  const ownFile = join(policies, 'hubu-unified-mcp.toml')
  const settings = openFiles([...new Set([entryFile, ...settingsFiles(environment)])], jsonc, look)
  const isEntryFile = (file: OpenedFile): boolean => file.path === entryFile
  const policyFiles = openFiles(
    [...tomlFilesIn(policies).filter((file) => file !== ownFile), ...tomlFilesIn(adminPolicies(environment))],
    toml,
    look,
  )
  return {
    entryDefaults: { trust: false },
    files: [{ kind: 'whole', path: ownFile, text: policyFile(lists) }],
    trustObstacles: () => [
      ...settings.filter(isEntryFile).flatMap((file) =>
        settingObstacles(
          file,
          [...entryPath, 'trust'],
          (value) => value === true,
          () => ({
            what: 'has trust: true in the entry, which runs every tool of the server without asking',
            remedy: 'Set it to false there, or run init without --trust-client-approval.',
          }),
        ),
      ),
      ...settings.flatMap((file) => pathObstacles(file, policies)),
      ...policyFiles.flatMap((file) => policyObstacles(file, lists.ask)),
    ],
  }
}

/** Paths of policies in the settings take the place of the folder in which our rules are. */
function pathObstacles(file: OpenedFile, policies: string): TrustObstacle[] {
  const node = nodeAt(file.document.root, ['policyPaths'])
  if (node?.kind !== 'list' || node.items.length === 0) return []
  if (textsAt(file.document, ['policyPaths']).some((text) => text.replace(/[\\/]$/, '') === policies)) return []
  return [
    obstacleAt(
      file,
      node,
      `sets policyPaths, so Gemini CLI does not read ${policies}, where the rules that ask are`,
      `Add "${policies}" to policyPaths there, or run init without --trust-client-approval.`,
    ),
  ]
}

/** Rules of the user or an administrator that allow a protected tool and are not below ours. */
function policyObstacles(file: OpenedFile, ask: readonly string[]): TrustObstacle[] {
  return itemsAt(file.document, ['rule']).flatMap((rule) => {
    const priority = scalarIn(rule, 'priority')
    const outranks = typeof priority !== 'number' || priority >= priorities.ask
    if (scalarIn(rule, 'decision') !== 'allow' || !outranks) return []
    const tool = ask.find((name) => coversTool(rule, name))
    if (tool === undefined) return []
    return [
      obstacleAt(
        file,
        rule,
        `allows ${tool} with priority ${String(priority)}, above the rule that asks (${priorities.ask})`,
        'Remove that rule or lower its priority, or run init without --trust-client-approval.',
      ),
    ]
  })
}

/** True for a rule that may match a tool of ours, under any of the names that Gemini CLI has for it. */
function coversTool(rule: TreeNode, tool: string): boolean {
  const server = scalarIn(rule, 'mcpName')
  if (typeof server === 'string' && !matches(server, entryName)) return false
  const names = valuesIn(rule, 'toolName')
  if (names.length === 0) return valuesIn(rule, 'commandPrefix').length + valuesIn(rule, 'commandRegex').length === 0
  const ours = [tool, `${entryName}__${tool}`, `mcp_${entryName}_${tool}`]
  return names.some((name) => ours.some((own) => matches(name, own)))
}

/** Texts under a key: one alone, or a list of them. */
function valuesIn(rule: TreeNode, key: string): string[] {
  const node = nodeAt(rule, [key])
  const nodes = node?.kind === 'list' ? node.items : node === undefined ? [] : [node]
  return nodes.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []))
}

function tomlFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.toml'))
    .toSorted()
    .map((name) => path.join(folder, name))
}

function settingsFiles(environment: Environment): string[] {
  const { join } = pathOf(environment)
  return [
    join(folderOf(environment), 'settings.json'),
    join(environment.cwd, '.gemini', 'settings.json'),
    join(systemFolder(environment), 'settings.json'),
  ]
}

function adminPolicies(environment: Environment): string {
  return pathOf(environment).join(systemFolder(environment), 'policies')
}

function systemFolder({ platform }: Environment): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli'
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli' : '/etc/gemini-cli'
}

/** The user's own folder: `.gemini` in the home folder, or in the one that takes its place. */
function folderOf(environment: Environment): string {
  return pathOf(environment).join(variable(environment, 'GEMINI_CLI_HOME') ?? environment.home, '.gemini')
}

function policyFile(lists: ApprovalLists): string {
  const rule = (tools: string[], decision: string, priority: number): string =>
    [
      '[[rule]]',
      `mcpName = ${renderTomlValue(entryName)}`,
      `toolName = ${renderTomlValue(tools)}`,
      `decision = ${renderTomlValue(decision)}`,
      `priority = ${priority}`,
      '',
    ].join('\n')
  return [
    '# Written by `hubu-unified-mcp init gemini`; `init --undo gemini` removes it.',
    rule(lists.auto, 'allow', priorities.allow),
    rule(lists.ask, 'ask_user', priorities.ask),
  ].join('\n')
}
