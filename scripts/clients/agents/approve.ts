import type { Home } from './home.ts'
import { ours, type Program } from './wire.ts'

/** What a person does outside of the client: looks what waits, and approves it. Throws unless exactly one request waits. */
export async function approveFromOutside(home: Home, program: Program): Promise<void> {
  const listed = await ours(home, program, 'approvals', 'list', '--sandbox', '--json')
  if (listed.code !== 0) throw new Error(`approvals list: ${listed.stderr.trim()}`)
  const { pending } = JSON.parse(listed.stdout) as { pending: { id: string }[] }
  if (pending.length !== 1) throw new Error(`${pending.length} requests wait for a human instead of one`)
  const approved = await ours(home, program, 'approvals', 'approve', String(pending[0]?.id), '--sandbox', '--yes')
  if (approved.code !== 0) throw new Error(`approvals approve: ${approved.stderr.trim()}`)
}
