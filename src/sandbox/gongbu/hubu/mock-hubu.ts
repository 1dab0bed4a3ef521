// The in-process stand-in for Hubu, with faults to inject. Its claims live in Gongbu's own database, so that they
// survive a restart like a real Hubu's would.
import type { SqliteDatabase } from '../../../storage/database.ts'
import { scopeOf } from '../executions/scope.ts'
import { deterministicId } from '../executions/deterministic-id.ts'
import type { BoundaryFault, HubuFaults } from './faults.ts'
import type { Hubu, HubuResult, SpendRequest, SpendSnapshot } from './hubu.ts'

/** How the mock behaves. */
export interface MockHubuSetting {
  /** The most that it validates. Default 1000. */
  maximumMinor?: number
  /** When authorizations expire, RFC 3339. Default: year 9999. */
  expiresAt?: string
  /** Goes into its deterministic ids. Default 0. */
  seed?: number
}

/** A claim as the mock keeps it. */
interface MockClaim {
  operationKey: string
  claimId: string
  accountId: string
  amountMinor: number
  status: 'claimed' | 'settled' | 'released'
  settlementId: string | null
  settledAmountMinor: number | null
}

const currency = 'USD'

/** Creates the mock on a migrated database. */
export function createMockHubu(
  database: SqliteDatabase,
  setting: MockHubuSetting,
  faults: HubuFaults,
  now: () => Date,
): Hubu {
  const { maximumMinor = 1000, expiresAt = '9999-12-31T23:59:59Z', seed = 0 } = setting
  const selected = `SELECT operation_key AS operationKey, claim_id AS claimId, account_id AS accountId,
    amount_minor AS amountMinor, status, settlement_id AS settlementId, settled_amount_minor AS settledAmountMinor
    FROM mock_claims`
  const byKey = database.prepare(`${selected} WHERE operation_key = ?`)
  const byId = database.prepare(`${selected} WHERE claim_id = ?`)
  const insert = database.prepare(
    `INSERT INTO mock_claims (operation_key, claim_id, account_id, amount_minor, status) VALUES (?, ?, ?, ?, 'claimed')`,
  )
  const finish = database.prepare(
    'UPDATE mock_claims SET status = ?, settlement_id = ?, settled_amount_minor = ? WHERE operation_key = ?',
  )
  const find = (operationKey: string) => byKey.get(operationKey) as MockClaim | undefined
  const isExpired = () => Date.parse(expiresAt) <= now().getTime()

  function claim(request: SpendRequest): HubuResult<{ claimId: string }> {
    const known = find(request.operationKey)
    if (known !== undefined) {
      const isEqual = known.accountId === request.accountId && known.amountMinor === request.amountCents
      return isEqual ? ok({ claimId: known.claimId }) : refused('idempotency_conflict')
    }
    return mutate(faults.claim, 'claim', () => {
      const claimId = deterministicId('claim', seed, request.operationKey)
      insert.run(request.operationKey, claimId, request.accountId, request.amountCents)
      return { claimId }
    })
  }

  function settle(operationKey: string, amountMinor: number): HubuResult<{ settlementId: string }> {
    const known = find(operationKey)
    if (known === undefined || known.status === 'released') return refused('claim_not_active')
    if (amountMinor < 0 || amountMinor > known.amountMinor) return refused('settlement_out_of_bounds')
    if (known.status === 'settled')
      return known.settledAmountMinor === amountMinor
        ? ok({ settlementId: known.settlementId ?? '' })
        : refused('idempotency_conflict')
    return mutate(faults.settle, 'settlement', () => {
      const settlementId = deterministicId('settlement', seed, operationKey)
      finish.run('settled', settlementId, amountMinor, operationKey)
      return { settlementId }
    })
  }

  function release(operationKey: string): HubuResult<null> {
    const known = find(operationKey)
    if (known === undefined || known.status === 'settled') return refused('claim_not_active')
    if (known.status === 'released') return ok(null)
    return mutate(faults.release, 'release', () => {
      finish.run('released', null, null, operationKey)
      return null
    })
  }

  return {
    resolve: (tokenId) => Promise.resolve(ok(grantFor(tokenId, expiresAt))),
    validate(request) {
      if (isExpired()) return Promise.resolve(refused('authorization_expired'))
      const isValid =
        request.accountId.trim() !== '' &&
        request.currency === currency &&
        request.amountCents > 0 &&
        request.amountCents <= maximumMinor
      return Promise.resolve(isValid ? ok(null) : refused('authorization_invalid'))
    },
    claim: (request) => Promise.resolve(claim(request)),
    inspectClaim(claimId) {
      const known = byId.get(claimId) as MockClaim | undefined
      if (known === undefined) return Promise.resolve(refused('claim_missing'))
      if (isExpired()) return Promise.resolve(refused('authorization_expired'))
      if (known.status !== 'claimed') return Promise.resolve(refused('claim_invalid'))
      const spend = { ...grantFor(known.operationKey, expiresAt), accountId: known.accountId, status: 'claimed' }
      return Promise.resolve(ok({ operationKey: known.operationKey, claimId, status: known.status, spend }))
    },
    settle: (request) => Promise.resolve(settle(request.operationKey, request.amountCents)),
    release: ({ operationKey }) => Promise.resolve(release(operationKey)),
    isCompatible: () => Promise.resolve(true),
  }
}

/** Applies a fault around a change: refuse it, or make it and lose the answer. */
function mutate<T>(fault: BoundaryFault = 'none', call: string, change: () => T): HubuResult<T> {
  if (fault === 'proven_before_mutation') return refused(`${call}_rejected`)
  const value = change()
  return fault === 'commit_then_disconnect' ? { kind: 'lost', code: `mock_hubu_${call}_disconnect` } : ok(value)
}

/** Any token is good for one cent; it is its own operation key. */
function grantFor(tokenId: string, expiresAt: string): SpendSnapshot {
  return {
    operationKey: tokenId,
    reason: 'sandbox authorization',
    tokenId,
    decisionId: `decision-${tokenId}`,
    accountId: 'sandbox-account',
    agentId: 'agt_gongbu_sandbox',
    amountCents: 1,
    currency,
    scope: scopeOf('sandbox', 'fixture') ?? null,
    taskId: null,
    leaseProfile: 'image_generation',
    status: 'available',
    expiresAt,
    hold: { holdId: `hold-${tokenId}`, status: 'frozen', amountCents: 1 },
  }
}

function ok<T>(value: T): HubuResult<T> {
  return { kind: 'ok', value }
}

function refused(reason: string): { kind: 'refused'; code: string } {
  return { kind: 'refused', code: `mock_hubu_${reason}` }
}
