import { readConnectionFile, type SandboxTokens, type Serving } from './connection-file.ts'
import { hasSeat, isSeatTaken } from './seat.ts'

/** How to reach the backends of a running sandbox, for its own user's commands. */
export interface SandboxConnection {
  hubu: SandboxBackend & { approvalToken: string; reconciliationToken: string }
  gongbu: SandboxBackend
  /** Opens the control of faults at both. */
  adminToken: string
}

/** One backend of it. */
export interface SandboxBackend {
  url: string
  token: string
  /** Where it listens now: another process may have taken over since. */
  port(): Promise<number>
}

/** What a command finds in a data folder: a sandbox that runs, one that does not run now, or no trace of one. */
export type Attached = { kind: 'running'; connection: SandboxConnection } | { kind: 'idle' } | { kind: 'never' }

/** Looks for the sandbox of a folder. Starts nothing and makes nothing. */
export function attach(folder: string): Attached {
  if (!hasSeat(folder)) return { kind: 'never' }
  const file = readConnectionFile(folder)
  const serving = file?.serving
  if (file === null || !serving || !isSeatTaken(folder)) return { kind: 'idle' }
  const now = () => Promise.resolve(readConnectionFile(folder)?.serving ?? serving)
  return { kind: 'running', connection: connectionOf(file.tokens, serving, now) }
}

/** The connection to backends that were seen at `serving` and are at `now` when a call is made. */
export function connectionOf(tokens: SandboxTokens, serving: Serving, now: () => Promise<Serving>): SandboxConnection {
  const backend = (name: 'hubuPort' | 'gongbuPort', token: string): SandboxBackend => ({
    url: `http://127.0.0.1:${serving[name]}`,
    token,
    port: async () => (await now())[name],
  })
  return {
    hubu: {
      ...backend('hubuPort', tokens.hubu),
      approvalToken: tokens.approval,
      reconciliationToken: tokens.reconciliation,
    },
    gongbu: backend('gongbuPort', tokens.gongbu),
    adminToken: tokens.admin,
  }
}
