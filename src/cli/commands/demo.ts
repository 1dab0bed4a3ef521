import type { Command } from 'commander'
import { execFile } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { realClock } from '../../timing/clock.ts'
import type { CliContext } from '../context.ts'

/** Adds `demo`: the whole journey against an empty sandbox, through a real server process (`npm start`). */
export function addDemoCommand(program: Command, context: CliContext): void {
  program
    .command('demo')
    .description(
      'play governed spends from registration to picture, one of them approved by a person, against an empty sandbox',
    )
    .option('--json', 'print one JSON object instead of a transcript')
    .option('-o, --output <file>', 'where to write the picture (default: a new temporary folder)')
    .option('--quiet', 'print nothing but what failed')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp demo\n  hubu-unified-mcp demo -o picture.png --quiet')
    .action(async (flags: DemoFlags) => context.setExitCode(await demoCommand(flags, context.process)))
}

interface DemoFlags {
  json?: boolean
  output?: string
  quiet?: boolean
}

/** Why a file cannot be written, as a code of the system; undefined where it can. What is there stays as it is. */
function whyUnwritable(file: string): string | undefined {
  const isThere = existsSync(file)
  try {
    closeSync(openSync(file, 'a'))
    if (!isThere) rmSync(file)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

async function demoCommand(flags: DemoFlags, { env, stdout, stderr, argv }: NodeJS.Process): Promise<number> {
  const { openSession } = await import('../../demo/session.ts')
  const { journeySteps, runJourney } = await import('../../demo/journey.ts')
  const { createJsonTranscript, createQuietTranscript, createTextTranscript } = await import('../../demo/transcript.ts')
  const transcript = flags.json
    ? createJsonTranscript(stdout)
    : flags.quiet
      ? createQuietTranscript(stderr)
      : createTextTranscript(stdout, journeySteps)
  const unwritable = flags.output === undefined ? undefined : whyUnwritable(path.resolve(flags.output))
  if (unwritable !== undefined) {
    stderr.write(`hubu-unified-mcp: ${flags.output} cannot be written (${unwritable}); name another file with -o\n`)
    return 1
  }
  let pictures: string | undefined
  const savePicture = (bytes: Buffer, name: string): string => {
    // The named file is the first picture; the other one lies in a folder of its own.
    const isNamed = flags.output !== undefined && name === 'picture.png'
    pictures ??= isNamed ? undefined : mkdtempSync(path.join(tmpdir(), 'hubu-demo-'))
    const file = path.resolve(isNamed ? (flags.output ?? name) : path.join(pictures ?? '', name))
    writeFileSync(file, bytes)
    return file
  }
  // The demo speaks for a human who confirms every protected call.
  const trusted = { PATH: env.PATH ?? '', HUBU_MCP_TRUST_CLIENT_APPROVAL: '1', HUBU_UNIFIED_OPERATION_TICK_MS: '100' }
  // A home of its own, so that no configuration of the user's takes part.
  const home = mkdtempSync(path.join(tmpdir(), 'hubu-demo-home-'))
  const places = { HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home }
  const main = argv[1] ?? ''
  const folder = path.join(home, 'sandbox')
  const sandbox = [main, 'sandbox', '--data-folder', folder, '--empty']
  const approve = async (id: string) => {
    const command = [main, 'approvals', 'approve', id, '--data-folder', folder, '--yes']
    await promisify(execFile)(process.execPath, command, { env: { PATH: env.PATH, ...places } })
  }
  const session = await openSession(process.execPath, sandbox, { ...trusted, ...places }).catch(() => undefined)
  if (session === undefined) {
    rmSync(home, { recursive: true, force: true })
    transcript.begin('start the sandbox')
    transcript.end('it ended before it served')
    return 1
  }
  try {
    await runJourney({ session, transcript, clock: realClock, approve, savePicture })
    transcript.end(null)
    return 0
  } catch (error) {
    transcript.end(error instanceof Error ? error.message : 'an unexpected fault')
    return 1
  } finally {
    await session.close()
    rmSync(home, { recursive: true, force: true })
  }
}
