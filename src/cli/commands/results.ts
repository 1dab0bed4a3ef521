import { InvalidArgumentError, type Command } from 'commander'
import { hostname } from 'node:os'
import path from 'node:path'
import { readVariable } from '../../config/environment.ts'
import { readResultsSettings } from '../../config/results-settings.ts'
import type { Archive } from '../../results/archive.ts'
import { processIsThere } from '../../results/process-is-there.ts'
import { realClock as clock } from '../../timing/clock.ts'
import type { CliContext } from '../context.ts'
import { sandboxFolderOf, type SandboxFolderFlags } from '../sandbox-folder.ts'
import type { createResultsJobs, GetFlags, PruneFlags } from './results-jobs.ts'

/** Adds `results`: what oversized results are stored, and a way to get at them. */
export function resultsCommand(program: Command, context: CliContext): void {
  const results = program
    .command('results')
    .description('list, fetch and remove stored tool results; list calls that run in the background')
    .addHelpText(
      'after',
      `
Results that were too large to send, and calls that were detached, are kept for 24 hours in the file that HUBU_UNIFIED_RESULTS_PATH names (default: results.sqlite3 in your data folder).

Examples:
  hubu-unified-mcp results list
  hubu-unified-mcp results get 3f9a1c2e7b804d5e9f1a2b3c4d5e6f70 -o result.json
  hubu-unified-mcp results get 3f9a1c2e7b804d5e9f1a2b3c4d5e6f70 --extract -o picture.png`,
    )
  const leaf = (words: string) =>
    results
      .command(words)
      .option('--sandbox', 'the results of your sandbox, also while it does not run')
      .option('--data-folder <path>', 'the data folder of that sandbox')
  leaf('list')
    .description('what is stored, and which detached calls run or ended, newest first; changes nothing')
    .option('--json', 'print JSON')
    .option('--full', 'whole ids, whatever the width is')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp results list\n  hubu-unified-mcp results list --json')
    .action((flags: SandboxFolderFlags & { json?: boolean; full?: boolean }) =>
      run(flags, context, (archive, jobs) => jobs.list(archive, flags)),
    )
  leaf('get <callId>')
    .description('write the exact bytes of a result to stdout, or to a file; the beginning of its id is enough')
    .option('-o, --output <file>', 'write to this file')
    .option(
      '--extract [number]',
      'write the picture or other file inside the result (default: the first one)',
      toFileNumber,
    )
    .addHelpText(
      'after',
      `
Examples:
  hubu-unified-mcp results get 3f9a1c2e7b804d5e9f1a2b3c4d5e6f70 > result.json
  hubu-unified-mcp results get 3f9a1c2e7b804d5e9f1a2b3c4d5e6f70 --extract 2 -o picture.png`,
    )
    .action((callId: string, flags: SandboxFolderFlags & GetFlags) =>
      run(flags, context, (archive, jobs) => jobs.get(archive, callId, flags)),
    )
  leaf('prune')
    .description('remove what has expired and give the space back; sets a damaged file aside')
    .option('--all', 'remove results that have not expired, too')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      '\nExamples:\n  hubu-unified-mcp results prune\n  hubu-unified-mcp results prune --all --quiet',
    )
    .action((flags: SandboxFolderFlags & PruneFlags) =>
      run(flags, context, (archive, jobs) => jobs.prune(archive, flags)),
    )
}

/** Which file in a result is meant, from 1 on. */
function toFileNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is the number of a file in the result, from 1 on.')
}

type Jobs = ReturnType<typeof createResultsJobs>

async function run(
  flags: SandboxFolderFlags,
  context: CliContext,
  job: (archive: Archive, jobs: Jobs) => Promise<number>,
): Promise<void> {
  const { process, place, look } = context
  const read = (name: string) => readVariable(place.env, name)
  const settings = readResultsSettings(read, { place })
  const folder = sandboxFolderOf(flags, place)
  const file = folder === undefined ? settings.path : path.join(folder, 'results.sqlite3')
  const { createArchive } = await import('../../results/archive.ts')
  const jobs = await import('./results-jobs.ts')
  const owner = { name: '', host: hostname(), processId: process.pid }
  const archive = createArchive({
    path: file,
    limitBytes: settings.limitBytes,
    clock,
    random: Math.random,
    owner,
    isAlive: processIsThere,
  })
  const { stdout, stderr } = process
  const bytesOut = context.wire.stdout
  try {
    context.setExitCode(await job(archive, jobs.createResultsJobs({ stdout, stderr, bytesOut, clock, look })))
  } finally {
    archive.close()
  }
}
