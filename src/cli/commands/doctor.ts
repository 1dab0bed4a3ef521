import type { Command } from 'commander'
import { buildStamp } from '../../config/build-stamp.ts'
import { configure } from '../../config/configure.ts'
import type { Finding } from '../../doctor/finding.ts'
import { jsonLines, label } from '../../terminal/foreign-text.ts'
import type { CliContext } from '../context.ts'

interface DoctorFlags {
  config?: string
  json?: boolean
  strict?: boolean
}

/** Adds `doctor`: what is wrong here and how to mend it; fit for a bug report. */
export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('examine configuration, credentials, backends, registry and machine; shows no secret')
    .option('--config <path>', 'the configuration file')
    .option('--json', 'print the findings as JSON')
    .option('--strict', 'exit with 1 for warnings too')
    .addHelpText('after', '\nExamples:\n  hubu-unified-mcp doctor\n  hubu-unified-mcp doctor --json --strict')
    .action(async (flags: DoctorFlags) => context.setExitCode(await doctorCommand(flags, context)))
}

async function doctorCommand(flags: DoctorFlags, context: CliContext): Promise<number> {
  const { process, place } = context
  const { examine } = await import('../../doctor/examine.ts')
  const findings = await examine({
    env: process.env,
    configure: () => configure(place, flags),
    stamp: buildStamp,
    nodeVersion: process.version,
    nowMs: () => Date.now(),
    lostTrust: async () => (await import('../client-setup.ts')).lostTrust(context, flags),
  })
  process.stdout.write(flags.json ? jsonLines({ findings }) : findings.map(toLines).join(''))
  const bad = findings.some(({ status }) => status === 'failure' || (flags.strict && status === 'warning'))
  return bad ? 1 : 0
}

function toLines({ check, status, message, remedy }: Finding): string {
  const mark = { ok: 'ok  ', warning: 'warn', failure: 'FAIL' }[status]
  const line = `${mark}  ${check.padEnd(20)}  ${label(message)}\n`
  return remedy === undefined ? line : `${line}${' '.repeat(28)}-> ${remedy}\n`
}
