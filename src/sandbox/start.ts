// Both backends in miniature, on loopback: a second reading of their contracts that shares nothing with our clients.
import path from 'node:path'
import type { SandboxTokens } from './connection-file.ts'
import { startGongbu } from './gongbu/server.ts'
import { defaultPrices, defaultTargets, imageTarget } from './gongbu/settings.ts'
import type { PriceCatalog } from './gongbu/prices/catalog.ts'
import { seedHubu, type Seeded } from './hubu/seed.ts'
import { startHubu } from './hubu/server.ts'

/** How the backends of a sandbox are started. */
export interface BackendOptions {
  folder: string
  tokens: SandboxTokens
  /** Told by both backends, and by the router in front of them. */
  stamp: { productVersion: string; sourceCommit: string }
  /** Put one human, one agent, a policy and a budget into a new Hubu. */
  isSeeded: boolean
}

/** Both backends of a sandbox, listening on 127.0.0.1. */
export interface RunningBackends {
  hubuPort: number
  gongbuPort: number
  /** What a seeded Hubu holds; null when it began empty. */
  seeded: Seeded | null
  /** Lets answers in the making go out. */
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

/** A model that is dear enough to need a human under that policy, so that nobody has to write one to see an approval. */
const studio = 'studio-image-v1'
const studioCents = 250
const targets = [...defaultTargets, imageTarget('sandbox', 'fixture', studio)]
const prices: PriceCatalog = {
  ...defaultPrices,
  rules: [
    ...defaultPrices.rules,
    {
      ruleId: 'sandbox-studio',
      provider: 'sandbox',
      model: studio,
      components: [{ unit: 'image', rateNumeratorMinor: studioCents, rateDenominator: 1 }],
    },
  ],
}

/** Starts Hubu, then Gongbu, which talks to it over HTTP with its own credential. Closes what it began when it cannot go on. */
export async function startBackends({ folder, tokens, stamp, isSeeded }: BackendOptions): Promise<RunningBackends> {
  const file = (name: string) => path.join(folder, name)
  const hubu = await startHubu({
    databasePath: file('hubu.sqlite3'),
    stamp,
    tokens: {
      api: tokens.hubu,
      approval: tokens.approval,
      reconciliation: tokens.reconciliation,
      admin: tokens.admin,
    },
  })
  try {
    const seeded = isSeeded ? await seedHubu({ databasePath: file('hubu.sqlite3'), stamp }, seed) : null
    const gongbu = await startGongbu({
      databasePath: file('gongbu.sqlite3'),
      artifactFolder: file('artifacts'),
      stamp,
      callerToken: tokens.gongbu,
      adminToken: tokens.admin,
      hubu: { url: hubu.url, token: tokens.hubu },
      settings: { promptMarkers: true, pictures: 'from-prompt', targets, prices },
    })
    return {
      hubuPort: hubu.port,
      gongbuPort: gongbu.port,
      seeded,
      close: async () => {
        await gongbu.close()
        await hubu.close()
      },
    }
  } catch (error) {
    await hubu.close()
    throw error
  }
}
