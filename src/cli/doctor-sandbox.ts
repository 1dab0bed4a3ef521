import { configure } from '../config/configure.ts'
import type { Finding } from '../doctor/finding.ts'
import { examineSandbox } from '../doctor/sandbox.ts'
import { attach } from '../sandbox/attach.ts'
import type { CliContext } from './context.ts'
import { configOf, sandboxStamp, withoutBackends } from './sandbox-config.ts'
import { sandboxFolderOf, type SandboxFolderFlags } from './sandbox-folder.ts'

/** What `doctor --sandbox` finds. Rejects with ConfigError where no sandbox was ever started. */
export async function sandboxFindings(
  flags: SandboxFolderFlags & { config?: string },
  { place }: CliContext,
): Promise<Finding[]> {
  const folder = sandboxFolderOf({ ...flags, sandbox: true }, place)!
  const attached = attach(folder)
  const connection = attached.kind === 'running' ? attached.connection : undefined
  const settings = async () => {
    const config = configOf(connection, folder, await configure(withoutBackends(place), flags, { isSandbox: true }))
    // Looking at a sandbox starts nothing, so no mounted server either.
    return { ...config, gateway: undefined }
  }
  const patient = { configure: settings, stamp: sandboxStamp, nowMs: () => Date.now() }
  return examineSandbox(patient, connection !== undefined)
}
