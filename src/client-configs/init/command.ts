// `init` as a function of its arguments, its streams and its surroundings; the exit code comes back.
import { createInterface } from 'node:readline/promises'
import { ClientConfigError, exitCodeOf, isRefusal } from '../client-config-error.ts'
import { type Scope } from '../clients/client.ts'
import { findClient } from '../clients/client-list.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { backendFlags, type ConnectionFlags, findConnection, type FoundConnection } from '../entry/connection.ts'
import { type Program } from '../entry/server-entry.ts'
import { type Environment, pathOf } from '../environment.ts'
import { type WriteStep } from '../../documents/replace-file.ts'
import { openJournals } from '../journal/journal.ts'
import { defaultProfile, loadStack, type RegistryStamp, type StackContext } from '../stack/load-stack.ts'
import { listClients, listText } from './list.ts'
import { planInit } from './plan.ts'
import { planJson, previewText, undoneText, writtenText } from './report.ts'
import { type InitPlan, type InitRequest } from './request.ts'
import { undoInit } from './undo.ts'
import { planIdOf, writeInit } from './write.ts'

/** What was typed. `--approval-token-file` and the like of the reference are flags of the command line only. */
export interface InitOptions extends ConnectionFlags {
  /** The client; without one all clients are listed. */
  client?: string
  write?: boolean
  undo?: boolean
  json?: boolean
  quiet?: boolean
  force?: boolean
  scope?: Scope
  file?: string
  config?: string
  agent?: string
  /** The empty text means the default profile. */
  stackProfile?: string
  allowIncompatible?: boolean
  trustClientApproval?: boolean
  iKnowTheClientAsks?: boolean
  viaNpx?: boolean
  experimentalPins?: boolean
}

/** Where a command reads and writes. */
export interface Streams {
  stdin: NodeJS.ReadableStream
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** A person sits there and may be asked. */
  isTTY: boolean
}

/** What the program knows and this room must be told. */
export interface InitServices {
  program: Program
  /** Approval lists of the surface that a server with this configuration and agent will show. */
  approvalLists(configFile: string | undefined, agent: string | undefined): ApprovalLists
  /** The response budget of that configuration, in bytes, when one is set. */
  responseBudgetBytes?(configFile: string | undefined): number | undefined
  registry: RegistryStamp
  stack: Omit<StackContext, 'allowIncompatible'>
  now: Date
  onStep?: (step: WriteStep, file: string) => void
}

/** Runs `init`: 0 done or previewed, 1 refused, 2 wrong arguments. */
export async function runInit(
  options: InitOptions,
  streams: Streams,
  environment: Environment,
  services: InitServices,
): Promise<number> {
  try {
    if (options.client === undefined) return list(options, streams, environment, services)
    return options.undo === true
      ? undo(options, options.client, streams, environment, services)
      : await setUp(options, options.client, streams, environment, services)
  } catch (error) {
    if (!isRefusal(error)) throw error
    streams.stderr.write(`hubu-unified-mcp: ${error.message}\n`)
    return exitCodeOf(error)
  }
}

function list(options: InitOptions, streams: Streams, environment: Environment, { program }: InitServices): number {
  const rows = listClients(environment, openJournals(environment.dataFolder), program)
  streams.stdout.write(options.json === true ? `${JSON.stringify({ clients: rows }, null, 2)}\n` : listText(rows))
  return 0
}

function undo(
  options: InitOptions,
  name: string,
  streams: Streams,
  environment: Environment,
  { now, program, onStep }: InitServices,
): number {
  const journals = openJournals(environment.dataFolder)
  const request = {
    client: findClient(name),
    scope: options.scope ?? 'user',
    force: options.force === true,
    environment,
    journals,
  }
  const undone = undoInit(request, { now, programVersion: program.version, onStep })
  say(options, streams, options.json === true ? JSON.stringify({ undone }, null, 2) + '\n' : undoneText(undone))
  return 0
}

async function setUp(
  options: InitOptions,
  name: string,
  streams: Streams,
  environment: Environment,
  services: InitServices,
): Promise<number> {
  const { now, program, onStep } = services
  // An unknown name is a wrong use, whatever else is missing.
  findClient(name)
  const found = await connect(options, environment, services)
  const request = toRequest(options, name, found, environment, services)
  const plan = planInit(request)
  plan.notes.push(...found.notes)
  const planId = planIdOf(now, plan.client.name)
  if (plan.refusal !== undefined) return refuse(plan, planId, options, streams)
  const isDone = plan.files.every((file) => file.changes.length === 0)
  if (plan.program !== undefined || (isDone && plan.files.length > 0)) {
    const text = plan.program === undefined ? `already set up: ${plan.files.at(-1)!.file.path}\n` : previewText(plan)
    say(options, streams, options.json === true ? toJson(planJson(plan, planId, undefined)) : text)
    return 0
  }
  if (options.write !== true && !(await confirms(plan, options, streams))) {
    const preview =
      options.json === true
        ? toJson(planJson(plan, planId, undefined))
        : wasShown(options, streams)
          ? ''
          : previewText(plan)
    say(options, streams, options.json === true ? preview : `${preview}nothing written; add --write\n`)
    return 0
  }
  const result = writeInit(request, { now, programVersion: program.version, onStep })
  result.plan.notes.push(...found.notes)
  const text =
    options.json === true
      ? toJson(planJson(result.plan, result.planId, result.written))
      : writtenText(result.plan, result.written)
  say(options, streams, text)
  return 0
}

function toRequest(
  options: InitOptions,
  name: string,
  found: FoundConnection,
  environment: Environment,
  services: InitServices,
): InitRequest {
  const { resolve } = pathOf(environment)
  const absolute = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(environment.cwd, path)
  const configFile = absolute(options.config)
  return {
    client: findClient(name),
    scope: options.scope ?? 'user',
    file: absolute(options.file),
    program: services.program,
    connection: found.connection,
    configFile,
    agent: options.agent,
    lists: services.approvalLists(configFile, options.agent),
    trust: options.trustClientApproval === true,
    trustsThatItAsks: options.iKnowTheClientAsks === true,
    force: options.force === true,
    viaNpx: options.viaNpx === true,
    experimentalPins: options.experimentalPins === true,
    responseBudgetBytes: services.responseBudgetBytes?.(configFile),
    tokens: found.tokens,
    environment,
    journals: openJournals(environment.dataFolder),
  }
}

async function connect(
  options: InitOptions,
  environment: Environment,
  services: InitServices,
): Promise<FoundConnection> {
  const { stackProfile } = options
  if (stackProfile === undefined) return findConnection(options, environment)
  if (options.sandbox === true || backendFlags.some((flag) => options[flag] !== undefined)) {
    throw new ClientConfigError(
      'usage',
      '--stack-profile cannot be combined with backends, token files, a state file or --sandbox',
    )
  }
  const profile = stackProfile === '' ? defaultProfile(environment) : stackProfile
  const context = { ...services.stack, allowIncompatible: options.allowIncompatible === true }
  return loadStack(profile, services.registry, environment, context)
}

/** Trust was asked for and cannot be given: shows what would be written, says why, writes nothing. */
function refuse(plan: InitPlan, planId: string, options: InitOptions, streams: Streams): number {
  say(options, streams, options.json === true ? toJson(planJson(plan, planId, undefined)) : previewText(plan))
  streams.stderr.write(`hubu-unified-mcp: not trusted, nothing written: ${plan.refusal}\n`)
  return 1
}

/** A yes on a terminal stands for `--write`. */
async function confirms(plan: InitPlan, options: InitOptions, streams: Streams): Promise<boolean> {
  if (!wasShown(options, streams)) return false
  streams.stdout.write(previewText(plan))
  streams.stdout.write('Write this? [y/N] ')
  const reader = createInterface({ input: streams.stdin })
  try {
    for await (const line of reader) return /^\s*y(?:es)?\s*$/i.test(line)
    return false
  } finally {
    reader.close()
  }
}

function wasShown(options: InitOptions, streams: Streams): boolean {
  return streams.isTTY && options.json !== true && options.quiet !== true
}

function say(options: InitOptions, streams: Streams, text: string): void {
  if (options.quiet !== true || options.json === true) streams.stdout.write(text)
}

function toJson(value: object): string {
  return JSON.stringify(value, null, 2) + '\n'
}
