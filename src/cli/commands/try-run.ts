import path from 'node:path'
import { startsSandbox } from '../../client-configs/entry/server-entry.ts'
import { ClientConfigError } from '../../client-configs/client-config-error.ts'
import type { Client } from '../../client-configs/clients/client.ts'
import { findClient } from '../../client-configs/clients/client-list.ts'
import { fromHome, requireHome, type Environment } from '../../client-configs/environment.ts'
import { runInit, type InitOptions } from '../../client-configs/init/command.ts'
import { installedClients } from '../../client-configs/init/installed.ts'
import { exitCodeOfRun, openOutput, type Output } from '../../client-configs/output.ts'
import { ask } from '../ask.ts'
import { clientEntries } from '../client-entries.ts'
import { environmentOf, initServices, streamsOf } from '../client-setup.ts'
import type { CliContext } from '../context.ts'
import { triedJson, triedText } from './try-text.ts'

/** The flags of `try`. */
export interface TryFlags {
  client?: string
  yes?: boolean
  undo?: boolean
  json?: boolean
}

/** Runs `try`: 0 done, 1 refused or declined, 2 wrong arguments. */
export async function tryCommand(flags: TryFlags, context: CliContext): Promise<number> {
  const output = openOutput(streamsOf(context), flags)
  return exitCodeOfRun(output, async () => {
    const environment = environmentOf(context)
    requireHome(environment)
    if (flags.undo === true) return takeBack(flags, context, output)
    const client = await chosenClient(flags, context, environment, output)
    if (client === undefined) {
      output.complain('nothing was changed')
      return 1
    }
    return wire(client, context, environment, output)
  })
}

/** The client that was named or chosen; undefined when a person declined. Throws ClientConfigError. */
async function chosenClient(
  flags: TryFlags,
  context: CliContext,
  environment: Environment,
  output: Output,
): Promise<Client | undefined> {
  if (flags.client !== undefined) return agreed(findClient(flags.client), flags, environment, output)
  const found = installedClients(environment)
  const names = found.map(({ name }) => name).join(', ')
  if (found.length === 0)
    throw new ClientConfigError(
      'setup_refused',
      'no MCP client was found here; name one with --client NAME (init lists all), or paste what init --print gives into the file of another one',
    )
  if (!output.canAsk)
    throw new ClientConfigError(
      'usage',
      `nobody can be asked here: name the client with --client NAME --yes; found are ${names}`,
    )
  if (found.length === 1) return agreed(found[0]!, flags, environment, output)
  const rows = found.map(({ title, name }, at) => `${String(at + 1).padStart(3)}  ${title} (${name})\n`)
  context.process.stderr.write(`These clients were found:\n${rows.join('')}`)
  const answer = await ask(`Try it in which one? [1-${found.length}] `, context.process)
  return /^[1-9]\d*$/.test(answer) ? found[Number(answer) - 1] : undefined
}

async function agreed(
  client: Client,
  { yes }: TryFlags,
  environment: Environment,
  output: Output,
): Promise<Client | undefined> {
  if (yes === true) return client
  if (!output.canAsk) throw new ClientConfigError('usage', `nobody can be asked here: add --yes`)
  const file = fromHome(client.files(environment, 'user')[0] ?? '', environment)
  const what = `${client.title} gets one entry in ${file} that starts a sandbox with fictional money; a backup is made.\n`
  return (await output.confirm(what, 'Go on?')) ? client : undefined
}

/** Writes the entry as `init` does, starts it once as the client would, and says what to type. */
async function wire(client: Client, context: CliContext, environment: Environment, output: Output): Promise<number> {
  const known = sandboxEntry(client, context)
  if (known === 'other')
    throw new ClientConfigError(
      'setup_refused',
      `${client.title} uses hubu already, with other backends than the sandbox; try leaves that alone. Try it in another client, or take that set-up back with init --undo ${client.name}`,
    )
  const { code, said } = await init({ client: client.name, sandbox: true, write: true }, context)
  if (code !== 0) return code
  const plan = said as { path?: string; applied: boolean; notes: string[]; program?: unknown }
  const entry = sandboxEntry(client, context)
  if (entry === undefined || entry === 'other')
    throw new ClientConfigError(
      'setup_refused',
      `${client.title} is configured by a script that is not edited; init ${client.name} --sandbox shows the lines for it`,
    )
  if (output.canAsk) context.process.stderr.write(`Starting it once, as ${client.title} does …\n`)
  const started = await clientEntries(context, client.name, () => {}).start(entry)
  const program = programWords(context)
  if (started.kind !== 'started') {
    const words = started.kind === 'failed' && started.words !== '' ? `: ${started.words}` : ''
    output.complain(`the entry is written, and what it starts does not serve${words}`)
    output.complain(
      `${program} doctor --client ${client.name} says more; ${program} try --undo --client ${client.name} takes it back`,
    )
    return 1
  }
  const tried = {
    ...{ client: client.name, title: client.title, file: fromHome(entry.file, environment), isNew: plan.applied },
    ...{ tools: started.tools.length, tookMs: started.tookMs, program, notes: plan.notes },
  }
  output.tell({ text: () => triedText(tried), data: () => triedJson(tried) })
  return 0
}

/** Takes back every sandbox that was set up for this user, or that of one client. */
async function takeBack(flags: TryFlags, context: CliContext, output: Output): Promise<number> {
  const only = flags.client === undefined ? undefined : findClient(flags.client).name
  const { entries } = clientEntries(context, only, () => {})
  const ours = entries.filter((entry) => entry.isJournalled && entry.scope === 'user' && startsSandbox(entry.server))
  const undone: unknown[] = []
  for (const { client } of ours) {
    const { code, said } = await init({ client: client.name, undo: true, write: true }, context)
    if (code !== 0) return code
    undone.push(...(said as { undone: unknown[] }).undone.map((file) => ({ client: client.name, ...(file as object) })))
  }
  const lines = (undone as { client: string; path: string; kind: string }[]).map(
    ({ client, path: file, kind }) => `${client}: ${file} ${words[kind] ?? kind}\n`,
  )
  output.tell({
    text: () =>
      lines.length === 0 ? 'No client has a sandbox of ours; there is nothing to take back.\n' : lines.join(''),
    data: () => ({ undone }),
  })
  return 0
}

const words: Readonly<Record<string, string>> = {
  restored: 'has its former bytes again',
  removed: 'was made by us and is removed',
  gone: 'is not there any more',
  edited: 'had changed since; our part of it is removed',
  mode: 'has its former mode again',
}

/** The sandbox in the user's file of a client; `other` when our name stands there for other backends. */
function sandboxEntry(client: Client, context: CliContext) {
  const { entries } = clientEntries(context, client.name, () => {})
  const ours = entries.filter(({ scope, isOurs }) => scope === 'user' && isOurs)
  const sandbox = ours.find((entry) => entry.name === 'hubu' && startsSandbox(entry.server))
  return sandbox ?? (ours.some(({ name }) => name === 'hubu') ? ('other' as const) : undefined)
}

/** `init` with these options; what it said as data, complaints as they are. */
async function init(options: InitOptions, context: CliContext): Promise<{ code: number; said: unknown }> {
  let said = ''
  const streams = { ...streamsOf(context), stdout: { write: (text: string) => (said += text) } }
  const code = await runInit(
    // What it writes is started once, below.
    { ...options, json: true, quiet: true },
    streams,
    environmentOf(context),
    await initServices(context, {}),
  )
  return { code, said: said === '' ? undefined : (JSON.parse(said) as unknown) }
}

/** How to call this program from here: after `npm ci` it is on nobody's PATH. */
function programWords({ process }: CliContext): string {
  const file = process.argv[1] ?? ''
  if (!file.endsWith('main.js')) return 'hubu-unified-mcp'
  const near = path.relative(process.cwd(), file)
  return `node ${near.startsWith('..') ? file : near}`
}
