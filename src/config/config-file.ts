// The configuration file: read, checked against its contract and its rules, and refused with places.
import type { GatewayConfig } from '#generated/types/config.js'
import { isGatewayConfig } from '#generated/validators/config.js'
import { NoPlainFile, readPlainFile } from '../documents/plain-file.ts'
import { ConfigError } from './config-error.ts'
import { problemsOf } from './config-problems.ts'
import { brokenRules } from './gateway-rules.ts'
import { mostBytes, readYaml, type Problem, type YamlFile } from './yaml-file.ts'

/** So many problems are told at once. */
const mostTold = 10

/**
 * Reads a configuration file. Throws ConfigError with the file, and for each problem line, column, key and what is allowed; no
 * value of the file is repeated.
 */
export function readConfigFile(path: string): GatewayConfig {
  return readConfigBytes(path, readBytes(path))
}

/** The same for bytes that stand, or shall stand, in that file. */
export function readConfigBytes(path: string, bytes: Uint8Array): GatewayConfig {
  const file = readYaml(bytes)
  const problems = file.problems.length > 0 ? file.problems : problemsIn(file.value)
  if (problems.length > 0) throw new ConfigError(sentence(path, file, problems))
  return file.value as GatewayConfig
}

function readBytes(path: string): Uint8Array {
  try {
    return readPlainFile(path, mostBytes)
  } catch (error) {
    if (error instanceof NoPlainFile) throw new ConfigError(`the config file ${path} ${error.message}`)
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new ConfigError(`the config file ${path} ${isMissing ? 'does not exist' : 'cannot be read'}`)
  }
}

/** All problems at once: the rules are held against whatever has the right shape. */
function problemsIn(value: unknown): readonly Problem[] {
  if (isGatewayConfig(value)) return brokenRules(value)
  const problems = problemsOf(isGatewayConfig.errors ?? [])
  const rest = structuredClone(value)
  for (const { pointer } of problems) remove(rest, pointer)
  return [...problems, ...(isGatewayConfig(rest) ? brokenRules(rest) : [])]
}

/** Takes a member out, or the list that it is an entry of. What lacks a member keeps its place. */
function remove(value: unknown, pointer: string): void {
  const names = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (names.length === 0) return
  let parent: unknown = value
  let owner: unknown
  let ownName = ''
  for (const name of names.slice(0, -1)) {
    owner = parent
    ownName = name
    parent = (parent as Record<string, unknown> | undefined)?.[name]
  }
  if (Array.isArray(parent)) delete (owner as Record<string, unknown>)[ownName]
  else delete (parent as Record<string, unknown> | undefined)?.[names.at(-1)!]
}

function sentence(path: string, file: YamlFile, problems: readonly Problem[]): string {
  const told = problems.slice(0, mostTold).map(({ pointer, message }) => {
    const { line, column } = file.placeOf(pointer)
    return `${path}:${line}:${column}: ${nameOf(pointer)}${message}`
  })
  const more = problems.length - told.length
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join(' | ')
}

/** `/servers/atlas/url` is told as `servers.atlas.url `; what does not look like a name is shortened and quoted. */
function nameOf(pointer: string): string {
  const names = pointer
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^[\w<.-]{1,64}$/.test(part) ? part : JSON.stringify(part.slice(0, 64))))
  return names.length === 0 ? '' : `${names.join('.')} `
}
