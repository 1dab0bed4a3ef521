import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** How to reach a running sandbox, for its own user's commands. */
export interface SandboxConnection {
  hubu: { url: string; token: string; approvalToken: string; reconciliationToken: string }
  gongbu: { url: string; token: string }
  /** Opens the control of faults at both. */
  adminToken: string
}

const nameOf = (folder: string) => path.join(folder, 'connection.json')

/** Writes the connection of a running sandbox, readable by its user only; the result removes it. */
export function writeConnection(folder: string, connection: SandboxConnection): () => void {
  rmSync(nameOf(folder), { force: true })
  writeFileSync(nameOf(folder), `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return () => rmSync(nameOf(folder), { force: true })
}

/** The connection of the sandbox that runs in a folder; null when none does, or did and was killed without one following. */
export function readConnection(folder: string): SandboxConnection | null {
  try {
    return JSON.parse(readFileSync(nameOf(folder), 'utf8')) as SandboxConnection
  } catch {
    return null
  }
}
