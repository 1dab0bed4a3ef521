import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { ApprovalError } from '../../approvals/approval-error.ts'
import {
  createHubuApprovals,
  type ApprovalDecision,
  type HubuApprovals,
  type HubuApprovalsOptions,
} from '../../approvals/hubu-approvals.ts'
import { pendingText, reviewText } from '../../approvals/review-text.ts'
import { ConfigError } from '../../config/config-error.ts'
import { readBearer } from '../../config/credentials.ts'
import { loadConfig } from '../../config/load-config.ts'
import { dataFolder } from '../../config/paths.ts'
import { Secret } from '../../redaction/secret.ts'
import { readConnection } from '../../sandbox/connection-file.ts'
import { jsonLines } from '../../terminal/foreign-text.ts'
import type { CliContext } from '../context.ts'

interface ApprovalFlags {
  sandbox?: boolean
  dataFolder?: string
  json?: boolean
  yes?: boolean
}

/** Adds `approvals`: a human decides what the policy left to humans, at any Hubu. */
export function addApprovalsCommand(program: Command, context: CliContext): void {
  const approvals = program
    .command('approvals')
    .description('list, show and decide spends that wait for a human')
    .addHelpText(
      'after',
      `
Talks to the Hubu of HUBU_UNIFIED_HUBU_ENDPOINT with its bearer token, or with --sandbox to a running sandbox. Deciding needs the
approval capability: HUBU_APPROVAL_TOKEN, or the file of HUBU_APPROVAL_TOKEN_FILE (default hubu.approval-token). After an approval the
harness delivers the same call again, and the agent goes on.

Examples:
  hubu-unified-mcp approvals list --sandbox
  hubu-unified-mcp approvals approve 3f2b8c1e-9d47-4a60-8f3c-5b1e7a9d2c46 --sandbox`,
    )
  const leaf = (name: string, description: string) =>
    approvals
      .command(name)
      .description(description)
      .option('--sandbox', 'talk to the sandbox that is running')
      .option('--data-folder <path>', 'the data folder of that sandbox')
      .option('--json', 'print JSON')
  const id = '3f2b8c1e-9d47-4a60-8f3c-5b1e7a9d2c46'
  const examples = (...lines: string[]) =>
    `\nExamples:\n${lines.map((line) => `  hubu-unified-mcp approvals ${line}`).join('\n')}`
  leaf('list', 'what waits for a decision')
    .addHelpText('after', examples('list', 'list --sandbox --json'))
    .action((flags: ApprovalFlags) => run(flags, context, (hubu) => list(hubu, flags, context)))
  leaf('show <id>', 'the immutable review of one request')
    .addHelpText('after', examples(`show ${id}`))
    .action((id: string, flags: ApprovalFlags) =>
      run(flags, context, async (hubu) => print(await hubu.show(id), flags, context)),
    )
  for (const decision of ['approve', 'deny'] as const) {
    leaf(`${decision} <id>`, `${decision} one request, after showing its review`)
      .option('--yes', 'do not ask; for scripts')
      .addHelpText('after', examples(`${decision} ${id}`, `${decision} ${id} --sandbox --yes --json`))
      .action((id: string, flags: ApprovalFlags) =>
        run(flags, context, (hubu) => decide(hubu, id, decision, flags, context)),
      )
  }
}

/** Where Hubu itself keeps the capability when nothing else is set. */
const defaultTokenFile = 'hubu.approval-token'

type Job = (hubu: HubuApprovals) => Promise<number>

async function run(flags: ApprovalFlags, context: CliContext, job: Job): Promise<void> {
  let hubu: HubuApprovals | undefined
  try {
    hubu = createHubuApprovals(connectionOf(flags, context))
    context.setExitCode(await job(hubu))
  } catch (error) {
    if (!(error instanceof ApprovalError) && !(error instanceof ConfigError)) throw error
    context.process.stderr.write(`hubu-unified-mcp: ${error.message}\n`)
    context.setExitCode(1)
  } finally {
    await hubu?.close()
  }
}

function connectionOf(flags: ApprovalFlags, { process, place }: CliContext): HubuApprovalsOptions {
  if (flags.sandbox || flags.dataFolder !== undefined) {
    const found = readConnection(path.resolve(flags.dataFolder ?? path.join(dataFolder(place), 'sandbox')))
    if (found === null)
      throw new ApprovalError('No sandbox runs in that data folder. Start one with `hubu-unified-mcp sandbox`.')
    const { url, token, approvalToken } = found.hubu
    return { endpoint: new URL(url), bearer: new Secret(token), capability: new Secret(approvalToken) }
  }
  const { hubu } = loadConfig(process.env)
  if (hubu === undefined) {
    throw new ApprovalError(
      'No Hubu is configured. Set HUBU_UNIFIED_HUBU_ENDPOINT and its bearer token, or use --sandbox.',
    )
  }
  const { HUBU_APPROVAL_TOKEN: direct, HUBU_APPROVAL_TOKEN_FILE: file } = process.env
  const named = file || (existsSync(defaultTokenFile) ? defaultTokenFile : undefined)
  return { ...hubu, capability: readBearer('hubu approval', direct, named) }
}

async function list(hubu: HubuApprovals, flags: ApprovalFlags, { process }: CliContext): Promise<number> {
  const pending = await hubu.pending()
  process.stdout.write(flags.json ? jsonLines({ pending }) : pendingText(pending))
  return 0
}

async function decide(
  hubu: HubuApprovals,
  id: string,
  decision: ApprovalDecision,
  flags: ApprovalFlags,
  context: CliContext,
): Promise<number> {
  const { process } = context
  if (!flags.yes) {
    if (!process.stdin.isTTY)
      throw new ApprovalError(`Not on a terminal: add --yes to ${decision} without being asked.`)
    process.stderr.write(reviewText(await hubu.show(id)))
    if (!(await confirm(`${decision} this spend? [y/N] `, process))) {
      process.stderr.write('Nothing was decided.\n')
      return 1
    }
  }
  return print(await hubu.resolve(id, decision), flags, context)
}

async function confirm(question: string, { stdin, stderr }: NodeJS.Process): Promise<boolean> {
  const asking = createInterface({ input: stdin, output: stderr })
  try {
    return /^y(es)?$/i.test((await asking.question(question)).trim())
  } finally {
    asking.close()
  }
}

function print(approval: Parameters<typeof reviewText>[0], flags: ApprovalFlags, { process }: CliContext): number {
  process.stdout.write(flags.json ? jsonLines(approval) : reviewText(approval))
  return 0
}
