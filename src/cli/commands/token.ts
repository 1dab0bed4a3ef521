// The tokens that callers over HTTP are given: made, listed, taken back. Only what each hashes to is kept.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Command } from 'commander'
import { configure } from '../../config/configure.ts'
import { readAuthSettings } from '../../config/http-settings.ts'
import { newToken } from '../../http/bearers/start-token.ts'
import { changeTokens, readTokens } from '../../http/bearers/token-file.ts'
import { allRights } from '../../http/bearers/rights.ts'
import { hashOf, isPrincipalName, isTokenOver, type TokenEntry } from '../../http/bearers/token-list.ts'
import { realClock as clock } from '../../timing/clock.ts'
import type { CliContext } from '../context.ts'
import { table } from '../table.ts'

interface FileFlags {
  file?: string
  config?: string
}

interface AddFlags extends FileFlags {
  principal?: string
  agent?: string
  rights: string
  expires: string
  label?: string
}

const dayMs = 24 * 3600 * 1000

/** Adds `token` with `add`, `list` and `revoke`. */
export function addTokenCommand(program: Command, context: CliContext): void {
  const token = program
    .command('token')
    .description('the tokens that callers of serve --http are given')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp token add --principal alice\n  hubu-unified-mcp token list')
  const withFile = (command: Command) =>
    command
      .option('--file <path>', 'the file of tokens (default: auth.tokens of the config file)')
      .option('--config <path>', 'read this config file')
  withFile(token.command('add').description('makes a token and prints it once'))
    .option('--principal <name>', 'whose it is: 1 to 64 of A-Z a-z 0-9 . _ @ -')
    .option('--agent <name>', 'an entry of agents: in the config file, which is all that it may see')
    .option('--rights <list>', 'of read, spend and protected', 'read')
    .option('--expires <days>', 'such as 90d, or never', '90d')
    .option('--label <text>', 'for people')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp token add --principal alice --rights read,spend')
    .action((flags: AddFlags) => run(context, () => add(context, flags)))
  withFile(token.command('list').description('the tokens that were given out'))
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp token list --json')
    .action((flags: FileFlags & { json?: boolean }) => run(context, () => list(context, flags)))
  withFile(token.command('revoke [ids...]').description('takes tokens back, by id or by principal'))
    .option('--principal <name>', 'all tokens of this principal')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp token revoke --principal alice')
    .action((ids: string[], flags: FileFlags & { principal?: string }) =>
      run(context, () => revoke(context, ids, flags)),
    )
}

/** What was asked for is not possible as it was asked. */
class WrongUse extends Error {}

async function run({ process, setExitCode }: CliContext, work: () => Promise<number>): Promise<void> {
  try {
    setExitCode(await work())
  } catch (error) {
    if (!(error instanceof WrongUse) && (error as Error).name !== 'ConfigError') throw error
    process.stderr.write(`error: ${(error as Error).message}\n`)
    setExitCode(error instanceof WrongUse ? 2 : 1)
  }
}

async function add(context: CliContext, flags: AddFlags): Promise<number> {
  const { principal = '', agent, label } = flags
  if (!isPrincipalName(principal)) throw new WrongUse('--principal must be 1 to 64 of A-Z a-z 0-9 . _ @ -')
  const rights = flags.rights.split(',').map((right) => allRights.find((known) => known === right))
  if (!rights.every((right) => right !== undefined)) throw new WrongUse(`--rights must be of ${allRights.join(', ')}`)
  const { file, agents } = await placeOf(context, flags)
  if (agent !== undefined && !agents.includes(agent))
    throw new WrongUse('--agent names no entry of agents in the config file')
  const token = newToken(randomBytes)
  const entry: TokenEntry = {
    id: randomBytes(4).toString('hex'),
    sha256: hashOf(token),
    principal,
    ...(agent !== undefined && { agent }),
    rights,
    created_at: new Date(clock.nowMs()).toISOString(),
    expires_at: expiryOf(flags.expires),
    ...(label !== undefined && { label }),
  }
  changeTokens(file, clock.nowMs(), (tokens) => [...tokens, entry])
  context.process.stdout.write(`${token}\n`)
  return 0
}

async function list(context: CliContext, flags: FileFlags & { json?: boolean }): Promise<number> {
  const { file } = await placeOf(context, flags)
  const rows = (readTokens(file) ?? []).map(({ sha256: _hash, ...entry }) => ({
    ...entry,
    state: isTokenOver(entry, clock.nowMs()) ? 'expired' : 'active',
  }))
  const text = () =>
    table(
      ['id', 'principal', 'agent', 'rights', 'created', 'expires', 'state'],
      rows.map(({ id, principal, agent = '', rights, created_at: created, expires_at: expires, state }) => [
        ...[id, principal, agent, rights.join(','), created.slice(0, 10), expires?.slice(0, 10) ?? 'never', state],
      ]),
      context.look,
      ['id'],
    )
  const none = 'No token was given out; token add makes one.\n'
  context.process.stdout.write(flags.json ? `${JSON.stringify({ tokens: rows })}\n` : rows.length === 0 ? none : text())
  return 0
}

async function revoke(context: CliContext, ids: string[], flags: FileFlags & { principal?: string }): Promise<number> {
  if (ids.length === 0 && flags.principal === undefined) throw new WrongUse('say which: ids, or --principal NAME')
  const { file } = await placeOf(context, flags)
  let removed = 0
  changeTokens(file, clock.nowMs(), (tokens) => {
    const kept = tokens.filter(({ id, principal }) => !ids.includes(id) && principal !== flags.principal)
    removed = tokens.length - kept.length
    return kept
  })
  context.process.stderr.write(
    removed === 0 ? 'No such token.\n' : `${removed} taken back; it counts within 2 seconds.\n`,
  )
  return removed === 0 ? 1 : 0
}

async function placeOf({ place }: CliContext, flags: FileFlags): Promise<{ file: string; agents: string[] }> {
  const { gateway } = await configure(place, flags)
  const configured = readAuthSettings(place, undefined, gateway)?.tokens
  const file = flags.file ?? configured
  if (file === undefined)
    throw new WrongUse(
      'the config file names no file of tokens, so no router would take one: add auth: with tokens: FILE, or give --file',
    )
  return { file: path.resolve(file), agents: Object.keys(gateway?.agents ?? {}) }
}

function expiryOf(text: string): string | null {
  if (text === 'never') return null
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  if (days === undefined || Number(days) === 0)
    throw new WrongUse('--expires must be a number of days such as 90d, or never')
  return new Date(clock.nowMs() + Number(days) * dayMs).toISOString()
}
