// A Hubu that does what a test says: normal executor behaviour, one-shot faults, and a log of calls.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HubuCall = 'resolve' | 'validate' | 'claim' | 'inspect' | 'settle' | 'release'

type Json = Record<string, unknown>

/** One misbehaviour, used once. Without `status` and `drop: 'before'` the call takes effect first. */
export interface Fault {
  status?: number
  raw?: string
  headers?: Record<string, string>
  drop?: 'before' | 'after'
  patch?: Json
  omit?: string[]
  /** The answer waits for this. */
  hold?: Promise<unknown>
}

interface LoggedCall {
  call: HubuCall
  body: Json
  authorization: string[]
}

interface Grant {
  spend: Json
  claim?: { status: string; receipt?: string }
}

export const hubuToken = 'hubu-credential-1'

export const localScope = {
  schema_version: 1,
  provider: { id: 'provider:local:fixture', display_name: 'Local fixture provider' },
  executor: { id: 'executor:gongbu:image', display_name: 'Gongbu image executor' },
  capability: { id: 'capability:image:generate', display_name: 'Generate image' },
  billing_merchant: { id: 'merchant:local', display_name: 'Local merchant' },
}

const routes: Record<string, HubuCall> = {
  'POST /spend/executor/resolve': 'resolve',
  'POST /spend/executor/validate': 'validate',
  'POST /spend/executor/claim': 'claim',
  'GET /spend/executor/claim': 'inspect',
  'POST /spend/executor/settle': 'settle',
  'POST /spend/executor/release': 'release',
}

export type HubuStub = Awaited<ReturnType<typeof startHubuStub>>

/** Starts a stub on loopback. Any token is good for one cent until five minutes after `now`. */
export async function startHubuStub(options: { now?: () => Date; port?: number } = {}) {
  const { now = () => new Date('2031-03-04T05:06:07.000Z') } = options
  const grants = new Map<string, Grant>()
  const faults = new Map<HubuCall, Fault[]>()
  const calls: LoggedCall[] = []
  let healthy = true
  let productVersion = '0.2.0'

  function grant(token: string): Grant {
    const known = grants.get(token)
    if (known) return known
    const fresh: Grant = {
      spend: {
        operation_key: `demo:${token}`,
        reason: 'boat picture',
        spend_auth_token_id: token,
        decision_id: `dec-${token}`,
        account_id: 'aga_demo',
        agent_id: 'agt_demo',
        amount_cents: 1,
        currency: 'usd',
        merchant: null,
        execution_scope: localScope,
        task_id: null,
        lease_profile: 'interactive',
        status: 'available',
        expires_at: new Date(now().getTime() + 300_000).toISOString(),
        budget_hold: {
          hold_id: `hold-${token}`,
          budget_id: 'bgt_demo',
          status: 'frozen',
          amount_cents: 1,
          consumed_amount_cents: 0,
          frozen_amount_cents: 1,
          remaining_amount_cents: 99,
        },
      },
    }
    grants.set(token, fresh)
    return fresh
  }

  const spendOf = ({ spend, claim }: Grant): Json => ({
    ...spend,
    status: claim?.status ?? spend.status,
    budget_hold: { ...(spend.budget_hold as Json), ...(claim ? { status: claim.status } : {}) },
  })
  const claimOf = (one: Grant): Json => ({
    operation_key: one.spend.operation_key,
    claim_id: `claim ${String(one.spend.spend_auth_token_id)}`,
    lease_profile: one.spend.lease_profile,
    status: one.claim?.status,
    claimed_at: now().toISOString(),
    claim_expires_at: new Date(now().getTime() + 900_000).toISOString(),
    finalized_at: null,
    settlement_id: null,
    reconciliation_required: false,
    spend: spendOf(one),
  })
  const settlementOf = (one: Grant, body: Json): Json => ({
    operation_key: one.spend.operation_key,
    settlement_id: `settlement-${String(one.spend.spend_auth_token_id)}`,
    claim_id: claimOf(one).claim_id,
    status: 'settled',
    receipt: body.receipt,
    spend: spendOf(one),
  })
  const byKey = (key: unknown) => [...grants.values()].find((one) => one.spend.operation_key === key)

  /** The normal answer, or undefined for a refusal. */
  function act(call: HubuCall, body: Json): Json | undefined {
    switch (call) {
      case 'resolve':
      case 'validate': {
        const one = grant(String(body.spend_auth_token_id))
        return one.claim ? undefined : spendOf(one)
      }
      case 'claim': {
        const one = grant(String(body.spend_auth_token_id))
        one.claim ??= { status: 'claimed' }
        return claimOf(one)
      }
      case 'inspect': {
        const one = [...grants.values()].find((known) => known.claim && claimOf(known).claim_id === body.claim_id)
        return one && claimOf(one)
      }
      case 'settle': {
        const one = byKey(body.operation_key)
        const receipt = JSON.stringify(body.receipt)
        if (!one?.claim) return undefined
        if (one.claim.status === 'claimed') one.claim = { status: 'settled', receipt }
        return one.claim.receipt === receipt ? settlementOf(one, body) : undefined
      }
      case 'release': {
        const one = byKey(body.operation_key)
        if (one?.claim?.status === 'claimed') one.claim = { status: 'released' }
        return one?.claim?.status === 'released' ? claimOf(one) : undefined
      }
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://hubu')
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const send = (status: number, text: string, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
    if (url.pathname === '/health') return void send(healthy ? 200 : 503, '{"status":"ok"}')
    if (url.pathname === '/version')
      return void send(
        200,
        JSON.stringify({ product_version: productVersion, executor_contract: 'hubu-spend-executor-v4.3' }),
      )
    const call = routes[`${request.method} ${url.pathname}`]
    if (call === undefined) return void send(400, '{"error":"no such route","retry_guidance":null}')
    const body =
      call === 'inspect'
        ? Object.fromEntries(url.searchParams)
        : (JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json)
    const authorization = request.rawHeaders.filter(
      (_, at, all) => at % 2 === 1 && all[at - 1]?.toLowerCase() === 'authorization',
    )
    calls.push({ call, body, authorization })
    const fault = faults.get(call)?.shift() ?? {}
    const untouched = fault.drop === 'before' || (fault.status !== undefined && fault.raw === undefined)
    const normal = untouched ? undefined : act(call, body)
    await fault.hold
    if (fault.drop) return void request.socket.destroy()
    if (untouched) return void send(fault.status ?? 500, '{"error":"secret backend words"}', fault.headers)
    if (fault.raw !== undefined) return void send(fault.status ?? 200, fault.raw)
    if (normal === undefined) return void send(400, '{"error":"refused","retry_guidance":null}')
    const patched = merge(normal, fault.patch ?? {})
    for (const member of fault.omit ?? []) delete patched[member]
    send(200, JSON.stringify(patched))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const open = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await open(options.port ?? 0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Changes what Hubu says about a token, deeply. */
    spend(token: string, patch: Json) {
      const one = grant(token)
      one.spend = merge(one.spend, patch)
    },
    /** An authorization over another amount. */
    amount(token: string, cents: number) {
      this.spend(token, { amount_cents: cents, budget_hold: { amount_cents: cents } })
    },
    fail(call: HubuCall, ...next: Fault[]) {
      faults.set(call, [...(faults.get(call) ?? []), ...next])
    },
    names: () => calls.map((one) => one.call),
    of: (call: HubuCall) => calls.filter((one) => one.call === call),
    setHealthy(value: boolean) {
      healthy = value
    },
    setProductVersion(value: string) {
      productVersion = value
    },
    /** Refuses connections until `up`. */
    down: shut,
    up: () => open(port),
    async [Symbol.asyncDispose]() {
      if (server.listening) await shut()
    },
  }
}

function merge(base: Json, patch: Json): Json {
  const merged = { ...base }
  for (const [name, value] of Object.entries(patch)) {
    const before = merged[name]
    merged[name] = isObject(before) && isObject(value) ? merge(before, value) : value
  }
  return merged
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
