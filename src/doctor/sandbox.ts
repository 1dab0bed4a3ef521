// The sandbox of a data folder: whether it runs, its backends while it does, and its files.
import { ok, warning, type Finding } from './finding.ts'
import { examineRouter } from './router.ts'
import type { Patient } from './examine.ts'

/** Findings on a sandbox that was started once. `configure` has its backends while it runs. Starts nothing. */
export async function examineSandbox(
  { configure, stamp, nowMs }: Pick<Patient, 'configure' | 'stamp' | 'nowMs'>,
  isRunning: boolean,
): Promise<Finding[]> {
  const state = isRunning
    ? ok('sandbox', 'runs; its backends are asked below')
    : warning(
        'sandbox',
        'does not run now, so only its files are looked at',
        'Start an MCP client that has it, or `hubu-unified-mcp sandbox`.',
      )
  return [state, ...(await examineRouter({ env: {}, configure, isSandbox: true }, { stamp, nowMs }))]
}
