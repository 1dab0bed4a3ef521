import { existsSync } from 'node:fs'
import { ApprovalError } from '../../approvals/approval-error.ts'
import { createHubuApprovals, type HubuApprovals, type HubuApprovalsOptions } from '../../approvals/hubu-approvals.ts'
import { ConfigError } from '../../config/config-error.ts'
import { readBearer } from '../../config/credentials.ts'
import { loadConfig } from '../../config/load-config.ts'
import { Secret } from '../../redaction/secret.ts'
import type { CliContext } from '../context.ts'
import { backendOf, sandboxConnectionOf, type SandboxFolderFlags } from '../sandbox-folder.ts'

/** Where Hubu itself keeps the capability when nothing else is set. */
const defaultTokenFile = 'hubu.approval-token'

/** Runs a command against a Hubu; what goes wrong is told in one line with exit code 1. */
export async function withHubu(
  flags: SandboxFolderFlags,
  context: CliContext,
  { decides }: { decides: boolean },
  job: (hubu: HubuApprovals) => Promise<number>,
): Promise<void> {
  let hubu: HubuApprovals | undefined
  try {
    hubu = createHubuApprovals(connectionOf(flags, context, decides))
    context.setExitCode(await job(hubu))
  } catch (error) {
    if (!(error instanceof ApprovalError) && !(error instanceof ConfigError)) throw error
    context.process.stderr.write(`hubu-unified-mcp: ${error.message}\n`)
    context.setExitCode(1)
  } finally {
    await hubu?.close()
  }
}

/** The capability is not even read by what only looks. */
function connectionOf(
  flags: SandboxFolderFlags,
  { process, place }: CliContext,
  decides: boolean,
): HubuApprovalsOptions {
  const found = sandboxConnectionOf(flags, place)
  if (found !== undefined) {
    const { approvalToken } = found.hubu
    return { ...backendOf(found.hubu), capability: decides ? new Secret(approvalToken) : undefined }
  }
  const { hubu } = loadConfig(process.env)
  if (hubu === undefined) {
    throw new ApprovalError(
      'No Hubu is configured. Set HUBU_UNIFIED_HUBU_ENDPOINT and its bearer token, or use --sandbox.',
    )
  }
  if (!decides) return { ...hubu, capability: undefined }
  const { HUBU_APPROVAL_TOKEN: direct, HUBU_APPROVAL_TOKEN_FILE: file } = process.env
  const named = file || (existsSync(defaultTokenFile) ? defaultTokenFile : undefined)
  return { ...hubu, capability: readBearer('hubu approval', direct, named) }
}
