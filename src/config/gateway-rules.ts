// Pure: the rules that a schema cannot say.
import path from 'node:path'
import type { AgentConfig, GatewayConfig, ServerConfig } from '#generated/types/config.js'
import { nearest } from '../names/nearest.ts'
import { escapePointer } from './config-problems.ts'
import { durationWords, parseTimeout } from './durations.ts'
import { brokenHttpRules } from './http-rules.ts'
import { budgetWords, parseBudget, parseSize, sizeWords } from './sizes.ts'
import { parseWindow, windowWords } from './spend-settings.ts'
import type { Problem } from './yaml-file.ts'

/** Names that belong to the router and its backends. */
const reservedServers = new Set(['hubu', 'gongbu', 'router', 'mcphub'])
/** Built-in owners that scopes and pins may name besides the configured servers. */
const builtInServers = ['hubu', 'gongbu', 'router']

type Report = (pointer: string, message: string) => void

/** Everything that breaks a rule, in the order of the file's keys. */
export function brokenRules(config: GatewayConfig): Problem[] {
  const problems: Problem[] = []
  const report: Report = (pointer, message) => problems.push({ pointer, message })
  const servers = config.servers ?? {}
  const known = new Set([...Object.keys(servers), ...builtInServers])
  if (config.response_budget !== undefined && parseBudget(String(config.response_budget)) === undefined)
    report('/response_budget', `must be ${budgetWords}`)
  if (config.image_budget !== undefined && parseSize(String(config.image_budget)) === undefined)
    report('/image_budget', `must be ${sizeWords}, or 0`)
  for (const key of ['connect_timeout', 'call_timeout'] as const) {
    const text = config[key]
    if (text !== undefined && parseTimeout(text) === undefined) report(`/${key}`, `must be ${durationWords}`)
  }
  for (const [name, server] of Object.entries(servers))
    checkServer(`/servers/${escapePointer(name)}`, name, server, report)
  const bare = Object.keys(servers).filter((name) => servers[name]?.prefix === '')
  for (const name of bare.slice(1))
    report(`/servers/${escapePointer(name)}/prefix`, `is for one server only, and ${bare[0]} has it`)
  for (const [name, members] of Object.entries(config.groups ?? {})) {
    members.forEach((member, index) => {
      if (!Object.hasOwn(servers, member))
        report(`/groups/${escapePointer(name)}/${index}`, unknownServer(member, Object.keys(servers)))
    })
  }
  checkPins('/pin', config.pin ?? [], known, report)
  for (const [name, agent] of Object.entries(config.agents ?? {}))
    checkAgent(`/agents/${escapePointer(name)}`, agent, { known, mounted: servers }, report)
  brokenHttpRules(config, report)
  return problems
}

function checkServer(at: string, name: string, server: ServerConfig, report: Report): void {
  const { command, url, use_when, tool_use_when } = server
  if (reservedServers.has(name)) report(at, 'is a name of the router itself; choose another')
  else if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(name) || name.includes('__') || name.endsWith('_'))
    report(at, 'must be a name of up to 63 letters, digits, - and _, without __ and without _ at the end')
  if (command === undefined && url === undefined) report(at, 'needs command or url')
  if (command !== undefined && url !== undefined) report(at, 'has both command and url; give one')
  const belongsTo = (key: keyof ServerConfig, owner: 'command' | 'url') => {
    if (server[key] !== undefined && server[owner] === undefined)
      report(`${at}/${key}`, `is only for servers with ${owner}`)
  }
  for (const key of ['headers', 'headers_file', 'transport'] as const) belongsTo(key, 'url')
  for (const key of ['args', 'cwd', 'env', 'env_file', 'pass_env'] as const) belongsTo(key, 'command')
  for (const key of ['headers_file', 'env_file'] as const) {
    const file = server[key]
    if (file !== undefined && !isFixedPath(file)) report(`${at}/${key}`, 'must be an absolute path, or begin with ~/')
  }
  server.pass_env?.forEach((variable, index) => {
    if (!/^[A-Za-z_][A-Za-z0-9_()]*$/.test(variable))
      report(`${at}/pass_env/${index}`, 'must be the name of a variable')
  })
  if (server.transport === 'sse' && server.era === 'modern') report(`${at}/era`, 'cannot be modern with transport sse')
  const { connect_timeout: timeout } = server
  if (timeout !== undefined && parseTimeout(timeout) === undefined)
    report(`${at}/connect_timeout`, `must be ${durationWords}`)
  checkPaths(at, server, report)
  checkHints(`${at}/use_when`, use_when ?? [], report)
  for (const [tool, hints] of Object.entries(tool_use_when ?? {})) {
    const below = `${at}/tool_use_when/${escapePointer(tool)}`
    if (!isHint(tool) || tool !== tool.trim()) report(below, hintWords)
    checkHints(below, hints, report)
  }
}

/** Clients start us in any folder, so a relative path would mean another file each time. */
function isFixedPath(file: string): boolean {
  return file.startsWith('~/') || path.posix.isAbsolute(file) || path.win32.isAbsolute(file)
}

/** `"C:\new\tools"` in double quotes holds a line break and a tab instead of two folders. */
function checkPaths(
  at: string,
  { command, cwd, args, env, env_file, headers_file }: ServerConfig,
  report: Report,
): void {
  const check = (key: string, text: string | undefined, isPath: boolean) => {
    if (text !== undefined && /\p{Cc}/u.test(text) && (isPath || /^[A-Za-z]:/.test(text)))
      report(
        `${at}/${key}`,
        'has a control character: in double quotes \\n, \\t and the like are one character; use single quotes',
      )
  }
  for (const [key, text] of Object.entries({ command, cwd, env_file, headers_file })) check(key, text, true)
  args?.forEach((text, index) => check(`args/${index}`, text, false))
  for (const [name, text] of Object.entries(env ?? {})) check(`env/${escapePointer(name)}`, text, false)
}

const hintWords = 'must be one line of 1 to 256 bytes without control characters'

function checkHints(at: string, hints: readonly string[], report: Report): void {
  hints.forEach((hint, index) => {
    if (!isHint(hint)) report(`${at}/${index}`, hintWords)
  })
}

function isHint(text: string): boolean {
  return text.trim() !== '' && Buffer.byteLength(text) <= 256 && !/\p{Cc}/u.test(text) && text.isWellFormed()
}

function unknownServer(name: string, known: Iterable<string>): string {
  const meant = nearest(name, [...known])
  return `names no configured server${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

/** `server`, `server__*` or `server__tool`. */
function checkPins(at: string, pins: readonly string[], known: ReadonlySet<string>, report: Report): void {
  pins.forEach((pin, index) => {
    const separator = pin.indexOf('__')
    const server = separator < 0 ? pin : pin.slice(0, separator)
    const tool = separator < 0 ? undefined : pin.slice(separator + 2)
    const isWild = tool === '*'
    if (tool === '' || (pin.includes('*') && !isWild))
      report(`${at}/${index}`, 'must be server, server__tool or server__*')
    else if (!known.has(server)) report(`${at}/${index}`, unknownServer(server, known))
  })
}

/** The servers that may be named, and those of them that are entries of the file. */
interface NamedServers {
  known: ReadonlySet<string>
  mounted: object
}

function checkAgent(at: string, agent: AgentConfig, { known, mounted }: NamedServers, report: Report): void {
  const { servers, tools, pin, tool_schema_budget: budget } = agent
  // What serves bearers has no client's file to write.
  if (agent.type === 'http') {
    for (const key of ['path', 'mode'] as const)
      if (agent[key] !== undefined) report(`${at}/${key}`, 'is not for agents of type http')
  } else if (agent.path === undefined) report(at, 'needs the key path')
  if (agent.mode === 'direct') {
    for (const key of ['tools', 'pin', 'tool_schema_budget'] as const)
      if (agent[key] !== undefined) report(`${at}/${key}`, 'is only for agents in gateway mode')
  }
  servers?.forEach((name, index) => {
    if (!known.has(name)) report(`${at}/servers/${index}`, unknownServer(name, known))
  })
  const outside = (server: string) => servers !== undefined && !servers.includes(server)
  tools?.forEach((name, index) => {
    const separator = name.indexOf('__')
    const server = name.slice(0, separator)
    const where = `${at}/tools/${index}`
    const isWhole = name.slice(separator + 2) === '*' && Object.hasOwn(mounted, server)
    if (separator < 1 || name.length === separator + 2 || (name.includes('*') && !isWhole))
      report(where, 'must be server__tool, or server__* for all of a mounted server')
    else if (!known.has(server)) report(where, unknownServer(server, known))
    else if (outside(server)) report(where, "names a server that is not in the agent's servers")
  })
  checkPins(`${at}/pin`, pin ?? [], known, report)
  pin?.forEach((entry, index) => {
    const server = entry.split('__', 1)[0]!
    const where = `${at}/pin/${index}`
    if (known.has(server) && outside(server)) report(where, "names a server that is not in the agent's servers")
    const isExact = entry.includes('__') && !entry.endsWith('__*')
    if (isExact && tools !== undefined && !tools.includes(entry) && !tools.includes(`${server}__*`))
      report(where, "names a tool that is not in the agent's tools")
  })
  if (agent.twin_window !== undefined && parseWindow(agent.twin_window) === undefined)
    report(`${at}/twin_window`, `must be ${windowWords}`)
  if (budget !== undefined && parseSize(String(budget)) === undefined)
    report(`${at}/tool_schema_budget`, `must be ${sizeWords}, or 0`)
}
