import { existsSync, readFileSync } from 'node:fs'
import { ClientConfigError } from '../client-config-error.ts'
import { jsonc } from '../../documents/json.ts'
import { nodeAt } from '../../documents/tree.ts'
import { configFolder, type Environment, pathOf } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client, type SetupScope, type ServerDefinition } from './client.ts'
import { openFiles } from './look-up.ts'
import { expandsDollar } from './manual.ts'
import { listObstacles } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** Crush: a JSON file that is deprecated but read, or a shell script, which we never edit. */
export const crush: Client = {
  name: 'crush',
  title: 'Crush',
  approval: { class: 'native', bypass: 'Crush asks nobody when started with --yolo.' },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    if (scope === 'project') return [join(environment.cwd, '.crush.json'), join(environment.cwd, 'crush.json')]
    return [join(configFolder(environment), 'crush', 'crush.json')]
  },
  section: () => ['mcp'],
  shape: standardShape({ localType: 'stdio', remote: 'typed' }),
  entryDefaults: { timeout: 15 },
  expands: expandsDollar,
  homeReference: '${HOME}',
  approvals,
  program,
}

const allowed = ['permissions', 'allowed_tools']

function approvals({ lists, entryFile, look }: ApprovalRequest): Approvals {
  const asked = lists.ask.map(toolName)
  return {
    edits: [{ kind: 'append', path: allowed, items: lists.auto.map(toolName) }],
    trustObstacles: () =>
      openFiles([entryFile], jsonc, look).flatMap((file) => listObstacles(file, allowed, asked, 'Crush')),
  }
}

function program(
  request: ApprovalRequest & { server: ServerDefinition },
): { path: string; lines: string[] } | undefined {
  const { environment, scope, entryFile, lists, server } = request
  const script = scripts(environment, scope).find((path) => existsSync(path))
  if (script === undefined) return undefined
  const hasOurs = new RegExp(`^\\s*mcp\\s+add\\s+["']?${entryName}["']?(?:\\s|$)`, 'm').test(
    readFileSync(script, 'utf8'),
  )
  const document = request.look(entryFile, jsonc)
  const isInFile = document !== undefined && nodeAt(document.root, request.entryPath) !== undefined
  if (hasOurs && isInFile) {
    throw new ClientConfigError(
      'file_ambiguous',
      `${script} and ${entryFile} both define ${entryName}; remove one of them`,
    )
  }
  // A JSON file that is in use stays the place; the script is only for those who have nothing else.
  if (document !== undefined && !hasOurs) return undefined
  return { path: script, lines: scriptLines(server, lists.auto) }
}

function scriptLines(server: ServerDefinition, auto: string[]): string[] {
  const env = Object.entries(server.env ?? {}).map(([name, value]) => `--env ${quote(`${name}=${value}`)}`)
  const words = [server.command ?? '', ...(server.args ?? [])].map(quote)
  return [
    ['mcp add', entryName, ...env, '--', ...words].join(' '),
    ...auto.map((tool) => `permissions allow ${toolName(tool)}`),
  ]
}

function scripts(environment: Environment, scope: SetupScope): string[] {
  const { join } = pathOf(environment)
  return scope === 'project'
    ? [join(environment.cwd, '.crushrc'), join(environment.cwd, 'crushrc')]
    : [join(configFolder(environment), 'crush', 'crushrc')]
}

function toolName(tool: string): string {
  return `mcp_${entryName}_${tool}`
}

/** A word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
