import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The credentials of a sandbox. They stay the same as long as its folder does, so that whoever joined goes on when another process serves. */
export interface SandboxTokens {
  hubu: string
  approval: string
  reconciliation: string
  gongbu: string
  /** Opens the control of faults at both backends. */
  admin: string
}

/** Where the backends listen on 127.0.0.1, and the product version of the process that serves them. */
export interface Serving {
  hubuPort: number
  gongbuPort: number
  productVersion: string
}

/** What a data folder says of its sandbox. */
export interface ConnectionFile {
  tokens: SandboxTokens
  /** Null while no process serves. After a kill it names one that is gone: only the seat tells. */
  serving: Serving | null
}

const nameOf = (folder: string) => path.join(folder, 'connection.json')

/** New credentials. */
export function makeTokens(): SandboxTokens {
  const secret = () => randomBytes(32).toString('base64url')
  return { hubu: secret(), approval: secret(), reconciliation: secret(), gongbu: secret(), admin: secret() }
}

/** Writes what a folder says, readable by its user only; a reader sees the old text or the new one. */
export function writeConnectionFile(folder: string, content: ConnectionFile): void {
  const file = nameOf(folder)
  const draft = `${file}.${process.pid}`
  rmSync(draft, { force: true })
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(descriptor, `${JSON.stringify({ ...content, ...addressesIn(content) }, null, 2)}\n`)
  } finally {
    closeSync(descriptor)
  }
  renameSync(draft, file)
}

/** The same once more as a script of its user reads it: each backend with its address. Nothing of ours reads these members. */
function addressesIn({ tokens, serving }: ConnectionFile): object {
  const url = (port: number | undefined) => (port === undefined ? null : `http://127.0.0.1:${port}`)
  return {
    hubu: {
      url: url(serving?.hubuPort),
      token: tokens.hubu,
      approvalToken: tokens.approval,
      reconciliationToken: tokens.reconciliation,
    },
    gongbu: { url: url(serving?.gongbuPort), token: tokens.gongbu },
    adminToken: tokens.admin,
  }
}

/** What a folder says; null when it says nothing that can be understood. */
export function readConnectionFile(folder: string): ConnectionFile | null {
  try {
    const { tokens, serving } = JSON.parse(readFileSync(nameOf(folder), 'utf8')) as Partial<ConnectionFile>
    const isWhole = tokens !== undefined && Object.keys(makeTokens()).every((name) => name in tokens)
    return isWhole ? { tokens, serving: serving ?? null } : null
  } catch {
    return null
  }
}
