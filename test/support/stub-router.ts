import { healthyGongbu, healthyHubu, type Answer } from './healthy-backends.ts'
import type { StubBackend } from './stub-backend.ts'
import { tempFolder } from './temp-folder.ts'

/** Two stub backends, a registry file, and the environment that a router needs to use them. */
export interface StubRouter extends AsyncDisposable {
  readonly hubu: StubBackend
  readonly gongbu: StubBackend
  readonly registry: string
  readonly env: Record<string, string>
}

/** Tokens of a stubbed router; nothing checks them. */
export const tokens = { hubu: 'hubu-token', gongbu: 'gongbu-token', reconciliation: 'reconciliation-capability' }

/** Starts healthy backends (`await using`); what they answer and what the router is told can be changed. */
export async function stubRouter(
  answers: { hubu?: Answer; gongbu?: Answer } = {},
  more: Record<string, string> = {},
): Promise<StubRouter> {
  const folder = tempFolder()
  const hubu = await healthyHubu(answers.hubu)
  const gongbu = await healthyGongbu(answers.gongbu)
  const registry = folder.file('registry.sqlite3')
  return {
    hubu,
    gongbu,
    registry,
    env: {
      PATH: process.env.PATH ?? '',
      // Neither the tester's configuration nor the tester's stored results.
      XDG_CONFIG_HOME: folder.path,
      XDG_DATA_HOME: folder.path,
      HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href,
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: tokens.hubu,
      HUBU_UNIFIED_GONGBU_ENDPOINT: gongbu.url.href,
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN: tokens.gongbu,
      HUBU_UNIFIED_OPERATION_STATE_PATH: registry,
      ...more,
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([hubu.stop(), gongbu.stop()])
      folder[Symbol.dispose]()
    },
  }
}
