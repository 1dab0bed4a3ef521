import fc from 'fast-check'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { healthyGongbu, healthyHubu } from '../support/healthy-backends.ts'
import type { Canned, SeenRequest } from '../support/stub-backend.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { canaries, everyReading, findTraces, spellings, tracesOf } from './canary.ts'
import { gongbuLeaks, hubuLeaks, probeLeaks } from './leaky-backends.ts'
import { seed } from './seed.ts'
import { servedRouter, type ServedRouter } from './served-router.ts'

const secretNames = ['hubu', 'gongbu', 'capability', 'endpoint', 'folder', 'tokenFile'] as const
type Secrets = Record<(typeof secretNames)[number], string>

/** What a backend repeats; a private operation key is known to it from its spend on. */
type Leaked = 'hubu' | 'gongbu' | 'capability' | 'operation key'

/** One world: its secrets, and what leaks of them, where and in which spelling. */
const worlds = fc.record({
  secrets: fc.record(
    Object.fromEntries(secretNames.map((name) => [name, canaries])) as Record<keyof Secrets, typeof canaries>,
  ),
  leaked: fc.constantFrom<Leaked>('hubu', 'gongbu', 'capability', 'operation key'),
  spelling: fc.nat(spellings.length - 1),
  hubuLeak: fc.nat(hubuLeaks.length - 1),
  gongbuLeak: fc.nat(gongbuLeaks.length - 1),
  /** Probes leak in one world of four: such a backend is hardly ever compatible, so little else is reached. */
  probeLeak: fc.option(fc.nat(probeLeaks.length - 1), { freq: 4 }),
  isCapabilityInFile: fc.boolean(),
})
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never

test(
  'a token that a backend repeats anywhere, in any spelling, is in no byte of stdout, log, registry or stored results',
  { timeout: 120_000 },
  async () => {
    const reached = { answers: 0, errors: 0 }
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { secrets } = world
        using folder = tempFolder()
        const { said, files, keys } = await play(world, folder.path, reached)
        expect(findTraces([...said, ...files], Object.values(secrets))).toEqual([])
        // The registry is where operation keys live.
        expect(said.filter((text) => keys.some((key) => everyReading(text).includes(key)))).toEqual([])
      }),
      // Each world is a router; a smaller one would tell little more than the first that fails.
      { numRuns: 60, seed, endOnFailure: true },
    )
    // The worlds are no desert: most calls get somewhere, many fail.
    expect(reached.answers).toBeGreaterThan(100)
    expect(reached.errors).toBeGreaterThan(100)
  },
)

test('the search finds a secret in every spelling, so that finding none means something', () => {
  fc.assert(
    fc.property(canaries, fc.constantFrom(...spellings), (secret, spell) => {
      const line = JSON.stringify({
        result: { content: [{ type: 'text', text: JSON.stringify({ note: `a ${spell(secret)}` }) }] },
      })
      expect(findTraces([line], [secret])).not.toEqual([])
      expect(findTraces([line.replaceAll(spell(secret), '')], ['another-secret-altogether'])).toEqual([])
      expect(tracesOf(secret).every((trace) => trace.length >= 8)).toBe(true)
    }),
    { numRuns: 300, seed },
  )
})

/** Starts a router in this world, uses everything that it offers, and gives every text that came out of it. */
async function play(
  world: World,
  folder: string,
  reached: { answers: number; errors: number },
): Promise<{ said: string[]; files: string[]; keys: string[] }> {
  const { secrets, leaked } = world
  const keys: string[] = []
  const text = () =>
    leaked === 'operation key' ? `key ${keys.at(-1)}!` : (spellings[world.spelling] ?? String)(secrets[leaked])
  const inFolder = (...names: string[]) => path.join(folder, fileName(secrets.folder), ...names)
  mkdirSync(inFolder())
  writeFileSync(inFolder(fileName(secrets.tokenFile)), secrets.gongbu)
  writeFileSync(inFolder('capability'), secrets.capability)
  const base = `/${encodeURIComponent(secrets.endpoint)}`
  // What lies in a file that is read at a call is nobody's secret before that call.
  let isUsed = !world.isCapabilityInFile
  const isKnown = () => (leaked === 'capability' ? isUsed : leaked !== 'operation key' || keys.length > 0)
  const leak = (request: SeenRequest, otherwise: (id: string) => Canned): Canned | undefined => {
    // The stubs below speak without the path of the endpoint.
    request.path = request.path.slice(base.length)
    if (request.headers['x-hubu-reconciliation-capability'] !== undefined) isUsed = true
    keys.push(...(/hubu:operation:v1:[\w:-]+/.exec(request.body) ?? []))
    if (!isKnown()) return undefined
    if (/^\/(health|version|livez|readyz)$/.test(request.path)) return probeLeak(world, text())
    return otherwise(request.path.split('/')[3] ?? '')
  }
  await using hubu = await healthyHubu((request) =>
    leak(request, () => hubuLeaks[world.hubuLeak]?.(text()) ?? 'hangUp'),
  )
  await using gongbu = await healthyGongbu((request) =>
    leak(request, (id) => gongbuLeaks[world.gongbuLeak]?.(id)(text()) ?? 'hangUp'),
  )
  const said: string[] = []
  {
    await using router = await servedRouter({
      HUBU_UNIFIED_HUBU_ENDPOINT: new URL(base, hubu.url).href,
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: secrets.hubu,
      HUBU_UNIFIED_GONGBU_ENDPOINT: new URL(base, gongbu.url).href,
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE: inFolder(fileName(secrets.tokenFile)),
      HUBU_UNIFIED_OPERATION_STATE_PATH: inFolder('registry.sqlite3'),
      HUBU_UNIFIED_RESULTS_PATH: inFolder('results.sqlite3'),
      HUBU_UNIFIED_RESPONSE_BUDGET: '512',
      HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '60000',
      HUBU_UNIFIED_OPERATION_TICK_MS: '10',
      HUBU_MCP_TRUST_CLIENT_APPROVAL: '1',
      ...(world.isCapabilityInFile
        ? { HUBU_RECONCILIATION_TOKEN_FILE: inFolder('capability') }
        : { HUBU_RECONCILIATION_TOKEN: secrets.capability }),
    })
    await useEverything(router, reached)
    said.push(...router.lines, ...router.log)
  }
  // The token files are the operator's own; what the router wrote is not allowed to know what is in them.
  const written = readdirSync(inFolder()).filter((name) => name.includes('.sqlite3'))
  const files = written.map((name) => readFileSync(inFolder(name), 'latin1'))
  return { said, files, keys }
}

const probeLeak = ({ probeLeak: chosen }: World, text: string) =>
  chosen === null ? undefined : probeLeaks[chosen]?.(text)

const spend = { account_id: 'a', amount_cents: 1, reason: 'r' }
const claim = { claim_id: 'c', provider_reference: 'p', evidence: 'e' }
const execution = {
  schema_version: 2,
  spend_auth_token_id: 'token-of-a-leak',
  input: { prompt: 'x' },
  input_schema_version: 1,
  workload_type: 'w',
  provider: 'p',
  adapter: 'a',
  model: 'm',
}

/** Calls after which something can go wrong, in an order in which an agent might make them. */
const calls: readonly (readonly [string, object, object?])[] = [
  ['hubu_unified_capabilities', {}],
  ['hubu_reconcile_vendor_did_not_bill_claim', claim],
  ['hubu_list_budgets', {}],
  ['hubu_authorize_spend', spend, { callId: 'one' }],
  ['hubu_authorize_spend', spend, { callId: 'one' }],
  ['hubu_submit_spend', spend, { callId: 'two' }],
  ['gongbu_create_execution', execution],
  ['hubu_get_executor_claim', { claim_id: 'c' }],
  ['hubu_create_budget', { amount_cents: 1 }],
  ['gongbu_get_execution', { execution_id: 'exec-1' }],
  ['gongbu_list_artifacts', { execution_id: 'exec-1' }],
  ['gongbu_get_artifact', { artifact_id: 'art-1' }],
  ['hubu_health', {}],
  ['nonsense', {}],
  ['hubu_list_ledger', { surplus: 1 }],
]

async function useEverything(router: ServedRouter, reached: { answers: number; errors: number }): Promise<void> {
  await router.request('tools/list')
  for (const [name, args, meta] of calls) {
    const reply = await router.request('tools/call', JSON.stringify({ name, arguments: args, _meta: meta }))
    reached[reply.error === undefined && reply.result?.isError !== true ? 'answers' : 'errors']++
  }
  await router.request('resources/list')
}

/** A secret as a name of a file or folder. */
const fileName = (secret: string) => secret.replaceAll('/', '_')
