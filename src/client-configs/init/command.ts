// `init` as a function of its arguments, its streams and its surroundings; the exit code comes back.
import { ClientConfigError } from '../client-config-error.ts'
import { type Client, type SetupScope } from '../clients/client.ts'
import { findClient } from '../clients/client-list.ts'
import { type FoundConnection } from '../entry/connection.ts'
import { printEntry, type printFormats } from '../entry/print-entry.ts'
import { serverEntry, startsByNpx, type ServerEntry } from '../entry/server-entry.ts'
import { expandedServer } from '../entry/shared-entry.ts'
import { type Environment, pathOf, requireHome } from '../environment.ts'
import { type JournalKey, journalKey, type JournalStore, openJournals } from '../journal/journal.ts'
import { exitCodeOfRun, openOutput, type Output, type OutputFlags, type Streams } from '../output.ts'
import { cleanBackups, countBackups, findBackups } from './backups.ts'
import { listClients, clientsText } from './list.ts'
import { type ConnectionFlags, findBackends, refuseUnstamped } from './find-backends.ts'
import { type InitServices } from './services.ts'
import { planInit } from './plan.ts'
import { planJson, previewText, writtenText } from './report.ts'
import { cleanedText, undoneJson, undoneText } from './undo-report.ts'
import { type InitPlan, type InitRequest } from './request.ts'
import { undoInit, type UndoOptions } from './undo.ts'
import { planIdOf, type WriteContext, writeInit } from './write.ts'

/** What was typed. `--approval-token-file` and the like of the reference are flags of the command line only. */
export interface InitOptions extends ConnectionFlags, OutputFlags {
  /** The client; without one all clients are listed. */
  client?: string
  write?: boolean
  /** Take back what was written; only shown without `write`. */
  undo?: boolean
  /** Show differences and lists of tools whole on a terminal too. */
  full?: boolean
  /** With `undo`: every client and scope. */
  all?: boolean
  cleanBackups?: boolean
  force?: boolean
  scope?: SetupScope
  file?: string
  config?: string
  agent?: string
  trustClientApproval?: boolean
  iKnowTheClientAsks?: boolean
  viaNpx?: boolean
  guardedIdentity?: boolean
  /** The format in which an entry for another client is to be printed. */
  print?: keyof typeof printFormats
  experimentalPins?: boolean
}

/** Runs `init`: 0 done or previewed, 1 refused, 2 wrong arguments. */
export async function runInit(
  options: InitOptions,
  streams: Streams,
  environment: Environment,
  services: InitServices,
): Promise<number> {
  const output = openOutput(streams, options)
  return exitCodeOfRun(output, async () => {
    requireHome(environment)
    const journals = openJournals(environment.dataFolder)
    if (options.print !== undefined) {
      const entry = await entryToPrint(options, environment, services)
      const text = printEntry(options.print, entry)
      output.tell({ text: () => text, data: () => ({ entry }) })
      return 0
    }
    const { now, program, onStep } = services
    const undoing = {
      ...{ journals, output, now, onStep, platform: environment.platform, dataFolder: environment.dataFolder },
      ...{ force: options.force === true, write: options.write === true },
    }
    if (options.cleanBackups === true) {
      const write = options.write === true
      const cleaned = cleanBackups(journals.all(), environment.dataFolder, write)
      output.tell({ text: () => cleanedText(cleaned, write), data: () => ({ backups: cleaned, applied: write }) })
      return 0
    }
    if (options.undo === true && options.all === true) {
      if (options.client !== undefined) throw new ClientConfigError('usage', '--all means every client; name none')
      undo(journals.all(), undoing)
      return 0
    }
    if (options.client === undefined && options.undo === true)
      throw new ClientConfigError('usage', '--undo wants a client, or --all for every client and scope')
    if (options.client === undefined) {
      const rows = listClients(environment, journals, services.program)
      output.tell({ text: (look) => clientsText(rows, look, environment), data: () => ({ clients: rows }) })
      return 0
    }
    // An unknown name is a wrong use, whatever else is missing.
    const client = findClient(options.client)
    const context: WriteContext = { planId: planIdOf(now, client.name), now, programVersion: program.version, onStep }
    if (options.undo === true) {
      undo([journalKey(client.name, options.scope ?? 'user', environment)], undoing)
      return 0
    }
    const found = await findBackends(options, environment, services)
    refuseUnstamped(found.connection, options, services.stack)
    const request = toRequest(options, client, found, services, { environment, journals })
    const attempt = options.quiet === true ? undefined : services.tryEntry
    return setUp(request, options, context, output, attempt)
  })
}

/** Takes set-ups back, or shows what that would change. */
function undo(
  keys: readonly JournalKey[],
  { journals, output, ...how }: UndoOptions & { journals: JournalStore; output: Output; dataFolder: string },
): void {
  const undone = keys.flatMap((key) => undoInit(key, journals, how))
  const backups = how.write ? countBackups(findBackups(journals.all(), how.dataFolder)) : []
  output.tell({
    text: () => undoneText(undone, how.write, backups),
    data: () => undoneJson(undone, how.write),
  })
}

/** The entry for a client that is not known: of its approvals nothing is known either, so it is never trusted. */
async function entryToPrint(
  options: InitOptions,
  environment: Environment,
  services: InitServices,
): Promise<ServerEntry> {
  const { connection } = await findBackends(options, environment, services)
  const configFile =
    options.config === undefined ? undefined : pathOf(environment).resolve(environment.cwd, options.config)
  const { program } = services
  const guarded = options.guardedIdentity === true ? { guardedFor: options.client ?? 'local' } : {}
  return serverEntry(
    {
      program,
      connection,
      configFile,
      agent: options.agent,
      trustsClientApproval: false,
      viaNpx: startsByNpx(options.viaNpx, program),
      ...guarded,
    },
    environment,
  )
}

/** Plans once; shows the plan, or writes it when that is wanted. */
async function setUp(
  request: InitRequest,
  { write = false, full = false }: Pick<InitOptions, 'write' | 'full'>,
  context: WriteContext,
  output: Output,
  attempt: InitServices['tryEntry'],
): Promise<number> {
  const plan = planInit(request)
  const preview = (end = ''): void =>
    output.tell({
      text: (look) => previewText(plan, look, full) + end,
      data: () => planJson(plan, context.planId, undefined),
    })
  if (plan.refusal !== undefined) {
    preview()
    output.complain(`not trusted, nothing written: ${plan.refusal}`)
    return 1
  }
  if (plan.program !== undefined) {
    preview()
    return 0
  }
  if (isDone(plan)) {
    const text = `already set up: ${plan.files.at(-1)!.file.path}\n`
    output.tell({ text: () => text, data: () => planJson(plan, context.planId, undefined) })
    return 0
  }
  if (!write) {
    if (!output.canAsk) {
      preview('nothing written; add --write\n')
      return 0
    }
    if (!(await output.confirm(previewText(plan, output.look, full), 'Write this?'))) {
      output.tell({ text: () => 'nothing written; add --write\n', data: () => ({}) })
      return 0
    }
  }
  const { plan: writtenPlan, written } = writeInit(request, plan, context)
  const tried = await attempt?.(startedBy(writtenPlan, request.environment), request.environment.cwd)
  output.tell({
    text: (look) => writtenText(writtenPlan, written, tried, look, full),
    data: () => planJson(writtenPlan, context.planId, written, tried),
  })
  return 0
}

/** What the client will start when it has expanded what it expands. */
function startedBy({ server, client }: InitPlan, environment: Environment): ServerEntry {
  return { ...server, ...expandedServer(server, client, environment) }
}

function isDone({ files }: InitPlan): boolean {
  return files.length > 0 && files.every((file) => file.changes.length === 0)
}

function toRequest(
  options: InitOptions,
  client: Client,
  found: FoundConnection,
  services: Pick<InitServices, 'program' | 'approvalLists' | 'responseBudgetBytes'>,
  surroundings: Pick<InitRequest, 'environment' | 'journals'>,
): InitRequest {
  const { environment } = surroundings
  const absolute = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : pathOf(environment).resolve(environment.cwd, path)
  const configFile = absolute(options.config)
  return {
    ...surroundings,
    client,
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
    viaNpx: startsByNpx(options.viaNpx, services.program),
    guardedIdentity: options.guardedIdentity === true,
    experimentalPins: options.experimentalPins === true,
    responseBudgetBytes: services.responseBudgetBytes?.(configFile),
    tokens: found.tokens,
    notes: found.notes,
  }
}
