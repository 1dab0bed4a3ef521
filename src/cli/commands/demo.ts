import type { Command } from 'commander'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { realClock } from '../../timing/clock.ts'
import type { CliContext } from '../context.ts'

/** Adds `demo`: the whole journey against an empty sandbox, through a real server process (`npm start`). */
export function addDemoCommand(program: Command, context: CliContext): void {
  program
    .command('demo')
    .description('play one governed spend from registration to picture against an empty sandbox')
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

async function demoCommand(flags: DemoFlags, { env, stdout, stderr, argv }: NodeJS.Process): Promise<number> {
  const { openSession } = await import('../../demo/session.ts')
  const { journeySteps, runJourney } = await import('../../demo/journey.ts')
  const { createJsonTranscript, createQuietTranscript, createTextTranscript } = await import('../../demo/transcript.ts')
  const transcript = flags.json
    ? createJsonTranscript(stdout)
    : flags.quiet
      ? createQuietTranscript(stderr)
      : createTextTranscript(stdout, journeySteps)
  const savePicture = (bytes: Buffer): string => {
    const file = path.resolve(flags.output ?? path.join(mkdtempSync(path.join(tmpdir(), 'hubu-demo-')), 'picture.png'))
    writeFileSync(file, bytes)
    return file
  }
  // The demo speaks for a human who confirms every protected call.
  const trusted = { PATH: env.PATH ?? '', HUBU_MCP_TRUST_CLIENT_APPROVAL: '1', HUBU_UNIFIED_OPERATION_TICK_MS: '100' }
  // A home of its own, so that no configuration of the user's takes part.
  const home = mkdtempSync(path.join(tmpdir(), 'hubu-demo-home-'))
  const places = { HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home }
  const sandbox = [argv[1] ?? '', 'sandbox', '--ephemeral', '--empty']
  const session = await openSession(process.execPath, sandbox, { ...trusted, ...places }).catch(() => undefined)
  if (session === undefined) {
    rmSync(home, { recursive: true, force: true })
    transcript.begin('start the sandbox')
    transcript.end('it ended before it served')
    return 1
  }
  try {
    await runJourney({ session, transcript, clock: realClock, savePicture })
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
