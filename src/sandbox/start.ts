// This room is both backends in miniature, on loopback: a second reading of their contracts that shares nothing with our clients.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { writeConnection, type SandboxConnection } from './connection-file.ts'
import type { ClaimedFolder } from './data-folder.ts'
import { setFaults } from './faults/control.ts'
import { startGongbu } from './gongbu/server.ts'
import { seedHubu, type Seeded } from './hubu/seed.ts'
import { startHubu } from './hubu/server.ts'

/** How a sandbox is started. */
export interface SandboxOptions {
  folder: ClaimedFolder
  /** Told by both backends, and by the router in front of them. */
  stamp: { productVersion: string; sourceCommit: string }
  /** Put one human, one agent, a policy and a budget into a new Hubu. */
  isSeeded: boolean
  /** Names of faults (faults/presets.ts) that are in force from the start. */
  faults?: readonly string[]
}

/** A running sandbox with its random credentials. */
export interface RunningSandbox extends SandboxConnection {
  /** The router's registry lies in the same folder. */
  registryPath: string
  /** What a seeded Hubu holds; null when it began empty. */
  seeded: Seeded | null
  close(): Promise<void>
}

/** Allows up to a dollar, asks up to ten, denies above. Amounts in cents. */
const sandboxPolicy = `id: sandbox
version: "1"
default_effect: deny
rules:
  - id: small
    effect: allow
    when: { op: lte, field: amount, value: { money_cents: 100 } }
    reason: Up to 1 USD is allowed.
  - id: medium
    effect: needs_approval
    when:
      op: all
      conditions:
        - { op: gt, field: amount, value: { money_cents: 100 } }
        - { op: lte, field: amount, value: { money_cents: 1000 } }
    reason: A human decides from 1 to 10 USD.
  - id: large
    effect: deny
    when: { op: gt, field: amount, value: { money_cents: 1000 } }
    reason: Above 10 USD nothing is allowed.
`

const seed = { username: 'sandbox-human', agentName: 'sandbox-agent', policyYaml: sandboxPolicy, budgetCents: 5000 }

/** Starts Hubu, then Gongbu, which talks to it over HTTP with its own credential. Closes what it began when it cannot go on. */
export async function startSandbox({ folder, stamp, isSeeded, faults = [] }: SandboxOptions): Promise<RunningSandbox> {
  const file = (name: string) => path.join(folder.path, name)
  const [token, approvalToken, reconciliationToken] = [secret(), secret(), secret()]
  const [callerToken, adminToken] = [secret(), secret()]
  const hubu = await startHubu({
    databasePath: file('hubu.sqlite3'),
    stamp,
    tokens: { api: token, approval: approvalToken, reconciliation: reconciliationToken, admin: adminToken },
  })
  const running: { close(): Promise<void> }[] = [hubu]
  const closeBackends = async () => {
    for (const backend of running) await backend.close()
  }
  try {
    const seeded = isSeeded ? await seedHubu({ databasePath: file('hubu.sqlite3'), stamp }, seed) : null
    const gongbu = await startGongbu({
      databasePath: file('gongbu.sqlite3'),
      artifactFolder: file('artifacts'),
      stamp,
      callerToken,
      adminToken,
      hubu: { url: hubu.url, token },
      settings: { promptMarkers: true, pictures: 'from-prompt' },
    })
    running.unshift(gongbu)
    const connection = {
      hubu: { url: hubu.url, token, approvalToken, reconciliationToken },
      gongbu: { url: gongbu.url, token: callerToken },
      adminToken,
    }
    if (faults.length > 0) await setFaults(connection, faults)
    const removeConnection = writeConnection(folder.path, connection)
    return {
      ...connection,
      registryPath: file('registry.sqlite3'),
      seeded,
      close: async () => {
        removeConnection()
        await closeBackends()
        folder.release()
      },
    }
  } catch (error) {
    await closeBackends()
    throw error
  }
}

const secret = () => randomBytes(32).toString('base64url')
