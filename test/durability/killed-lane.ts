// One registry file, one router after another on it, each killed in the middle of its work.
import { startRouter, type Message, type RouterProcess } from '../e2e/router-process.ts'
import { createOf, spendOf } from '../e2e/started-sandbox.ts'
import type { Random } from '../simulation/random.ts'
import { rowsOf, type GovernedBackends, type Way } from './governed-backends.ts'

/** One purchase and its one harness call. */
export interface Purchase {
  callId: string
  /** A submitted spend has an amount of its own; an execution costs one cent. */
  amountCents: number
  hasExecution: boolean
  /** The stored result, once a delivery returned it. */
  result?: string
  handle?: string
  token?: string
  isAcknowledged?: boolean
}

export interface LaneOptions {
  bin: string
  backends: GovernedBackends
  registry: string
  random: Random
  kills: number
  /** Names the lane's calls and numbers its amounts. */
  number: number
}

/** Errors that a client may meet, because somebody died; everything else is a fault. */
const expected = new Set(['hubu_result_ambiguous', 'backend_unavailable', 'operation_registry_error'])

/** How many kills left a spend, or an execution, in the hands of a dead process. */
export interface Hits {
  spends: number
  executions: number
}

/** Runs a lane to its end: so many kills, then one router that is left in peace until everything is settled. */
export async function runLane(options: LaneOptions): Promise<{ purchases: Purchase[]; hits: Hits }> {
  const { kills, random, number } = options
  const purchases: Purchase[] = []
  const hits: Hits = { spends: 0, executions: 0 }
  const way = await options.backends.way(options.registry)
  for (let kill = 0; kill < kills; kill++) {
    for (let i = 0; i < 2; i++) purchases.push(nextPurchase(number, purchases.length))
    const router = await startServing(options.bin, way)
    const moment = momentToKill(way, random)
    for (const purchase of purchases) if (!isSettled(purchase)) void deliver(router, options.backends, purchase)
    await moment
    router.child.kill('SIGKILL')
    await router.exit
    const held = rowsOf(options.registry).filter((row) => row.worker_lease_id !== null)
    if (held.some((row) => row.operation_state === null)) hits.spends++
    if (held.some((row) => row.operation_state !== null)) hits.executions++
  }
  const router = await startServing(options.bin, way)
  await Promise.all(purchases.map((purchase) => settle(router, options.backends, purchase)))
  await router.end()
  return { purchases, hits }
}

/** A random moment: around a spend's request, around an execution's, or any. */
async function momentToKill({ hubu, gongbu }: Way, random: Random): Promise<void> {
  const kind = random.below(5)
  if (kind < 2) await hubu.carries('POST /spend', 1500)
  else if (kind < 4) await gongbu.carries('POST /v2/executions', 1500)
  const mostMs = kind === 4 ? 400 : 50
  await new Promise((resolve) => setTimeout(resolve, random.between(0, mostMs)))
}

async function startServing(bin: string, { env }: Way): Promise<RouterProcess> {
  const router = startRouter(bin, env)
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'killer', version: '1' } }
  await router.request('initialize', client)
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  return router
}

function nextPurchase(lane: number, n: number): Purchase {
  const hasExecution = n % 2 === 1
  return { callId: `lane-${lane}-${n}`, amountCents: hasExecution ? 1 : 1000 * (lane + 1) + n, hasExecution }
}

function isSettled({ result, hasExecution, isAcknowledged }: Purchase): boolean {
  return result !== undefined && (!hasExecution || isAcknowledged === true)
}

/** Delivers the call of a purchase, and its create when it is allowed; notes what came back. */
async function deliver(router: RouterProcess, { accountId }: GovernedBackends, purchase: Purchase): Promise<void> {
  const { callId, amountCents, hasExecution } = purchase
  const { execution_scope, ...spend } = spendOf(accountId, amountCents, `purchase ${callId}`)
  const reply = await (hasExecution
    ? router.callTool('hubu_authorize_spend', { ...spend, execution_scope }, { callId })
    : router.callTool('hubu_submit_spend', spend, { callId }))
  const value = toValue(reply)
  if (value === undefined) return
  const result = JSON.stringify(value)
  if (purchase.result !== undefined && purchase.result !== result) throw new Error(`${callId} got another result`)
  if (value.decision !== 'allow') throw new Error(`${callId} got ${result}`)
  Object.assign(purchase, { result, handle: value.operation_handle, token: value.auth_token_id })
  if (!hasExecution) return
  const created = toValue(await router.callTool('gongbu_create_execution', createOf(value.auth_token_id)))
  if (created !== undefined) purchase.isAcknowledged = true
}

/** Delivers until everything is known and, for an execution, done. */
async function settle(router: RouterProcess, backends: GovernedBackends, purchase: Purchase): Promise<void> {
  while (!isSettled(purchase)) await deliver(router, backends, purchase)
  await deliver(router, backends, purchase)
  if (!purchase.hasExecution) return
  for (;;) {
    const status = toValue(await router.callTool('hubu_operation_status', { operation_handle: purchase.handle }))
    if (status?.state === 'succeeded') return
    if (status?.terminal === true) throw new Error(`${purchase.callId} ended as ${JSON.stringify(status)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function toValue({ result, error }: Message): Record<string, unknown> | undefined {
  if (error !== undefined && !expected.has(error.data?.code ?? '')) throw new Error(JSON.stringify(error))
  return result?.structuredContent as Record<string, unknown> | undefined
}
