import type { Command } from 'commander'
import { buildStamp } from '../../config/build-stamp.ts'
import { configure } from '../../config/configure.ts'
import type { CliContext } from '../context.ts'
import { isSandbox, type SandboxFolderFlags } from '../sandbox-folder.ts'
import { signOfLife } from '../sign-of-life.ts'

interface DoctorFlags extends SandboxFolderFlags {
  config?: string
  client?: string
  fix?: boolean
  json?: boolean
  strict?: boolean
}

/** Adds `doctor`: what is wrong here and how to mend it; fit for a bug report. */
export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description("examine this machine and every client's entry, which is started for that; shows no secret")
    .option('--config <path>', 'the configuration file of a router that is started from this shell')
    .option('--client <name>', 'look at one client only')
    .option('--fix', 'mend what can be mended without a question; init --undo takes it back')
    .option('--sandbox', 'look at your sandbox only: whether it runs, its backends, its files')
    .option('--data-folder <path>', 'the data folder of that sandbox')
    .option('--json', 'print the findings as JSON')
    .option('--strict', 'exit with 1 for warnings too')
    .addHelpText(
      'after',
      `
Nothing is written without --fix. Clients' entries are started two at a time, each for at most 20 seconds.

Examples:
  hubu-unified-mcp doctor
  hubu-unified-mcp doctor --client codex --fix
  hubu-unified-mcp doctor --sandbox
  hubu-unified-mcp doctor --json --strict`,
    )
    .action(async (flags: DoctorFlags) => context.setExitCode(await doctorCommand(flags, context)))
}

async function doctorCommand(flags: DoctorFlags, context: CliContext): Promise<number> {
  const { process, place } = context
  const { examine } = await import('../../doctor/examine.ts')
  const { clientEntries, mendClients } = await import('../client-entries.ts')
  const { exitCodeOfRun, openOutput } = await import('../../client-configs/output.ts')
  const { streamsOf } = await import('../client-setup.ts')
  const { ClientConfigError } = await import('../../client-configs/client-config-error.ts')
  const { doctorText } = await import('../doctor-text.ts')
  const output = openOutput(streamsOf(context), flags)
  return exitCodeOfRun(output, async () => {
    if (flags.fix === true && isSandbox(flags))
      throw new ClientConfigError(
        'usage',
        "--fix mends clients' entries, and --sandbox looks at the sandbox alone; leave one of them out",
      )
    const mended = flags.fix === true ? mendClients(context, flags.client) : undefined
    const progress = signOfLife(context)
    progress.say('asking what this machine reaches')
    const look = async () =>
      isSandbox(flags)
        ? (await import('../doctor-sandbox.ts')).sandboxFindings(flags, context)
        : examine({
            env: process.env,
            configure: () => configure(place, flags),
            stamp: buildStamp,
            nodeVersion: process.version,
            nowMs: () => Date.now(),
            lostTrust: async () => (await import('../client-setup.ts')).lostTrust(context, flags),
            entries: clientEntries(context, flags.client, (done, all) =>
              progress.say(all === 0 ? 'looking' : `starting what clients start: ${done} of ${all} done`),
            ),
          })
    const findings = await look().finally(() => progress.end())
    output.tell({
      text: (look) => doctorText(findings, mended ?? [], look),
      data: () => ({ findings, ...(mended === undefined ? {} : { mended }) }),
    })
    const bad = findings.some(({ status }) => status === 'failure' || (flags.strict && status === 'warning'))
    return bad ? 1 : 0
  })
}
