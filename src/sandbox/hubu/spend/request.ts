// Reads a spend request. Pure.
import { readFields } from '../json/fields.ts'
import type { JsonObject } from '../json/value.ts'
import { Refusal } from '../refusal.ts'
import { legacyScope, readSelector, resolveSelector, type ExecutionScope, type Selector } from '../scopes/scope.ts'

/** The body of a spend request as it came; only its form is checked. */
export interface SpendBody {
  operationKey: string | undefined
  accountId: string | undefined
  namesAgent: boolean
  amountCents: bigint
  currency: string | undefined
  reason: string
  /** Undefined when the key is absent, which is something else than null. */
  taskId: string | null | undefined
  merchant: string | undefined
  selector: Selector | undefined
  leaseProfile: string | undefined
}

/** What the texts of a request come to. */
export interface SpendTexts {
  operationKey: string
  reason: string
  taskId: string | null
}

const keys = [
  'operation_key',
  'account_id',
  'agent_id',
  'amount_cents',
  'currency',
  'reason',
  'task_id',
  'merchant',
  'execution_scope',
  'lease_profile',
]

/** Reads the strict body. Throws a 400. */
export function readSpendBody(object: JsonObject): SpendBody {
  const fields = readFields(object, { keys, strict: true })
  const scope = fields.optionalObject('execution_scope')
  return {
    operationKey: fields.optionalText('operation_key'),
    accountId: fields.optionalText('account_id'),
    namesAgent: fields.value('agent_id') !== undefined,
    amountCents: fields.integer('amount_cents'),
    currency: fields.optionalText('currency'),
    reason: fields.text('reason'),
    taskId: fields.has('task_id') ? (fields.optionalText('task_id') ?? null) : undefined,
    merchant: fields.optionalText('merchant'),
    selector: scope && readSelector(scope),
    leaseProfile: fields.optionalText('lease_profile'),
  }
}

/** Checks and trims operation key, reason and task id, in this order. Throws a 400. */
export function readTexts(body: SpendBody): SpendTexts {
  if (body.namesAgent)
    throw new Refusal('spend request must include account_id; agent_id is no longer accepted for spend')
  const operationKey = body.operationKey?.trim() ?? ''
  if (operationKey === '') throw new Refusal('spend operation_key is required')
  const reason = bounded(body.reason, 'reason', 2000)
  if (body.taskId === undefined) return { operationKey, reason, taskId: reason }
  return { operationKey, reason, taskId: body.taskId === null ? null : bounded(body.taskId, 'task_id', 512) }
}

/** Throws a 400 for any currency but USD. */
export function checkCurrency(currency: string | undefined): void {
  const code = currency?.trim().toLowerCase()
  if (code !== undefined && code !== 'usd') throw new Refusal(`unsupported currency \`${code}\``)
}

/** The scope that a selector or a merchant stands for; null when neither was sent. Throws a 400 when both were. */
export function scopeOfRequest(merchant: string | undefined, selector: Selector | undefined): ExecutionScope | null {
  if (merchant !== undefined && selector !== undefined)
    throw new Refusal('send either merchant or execution_scope, not both')
  if (selector !== undefined) return resolveSelector(selector)
  return merchant === undefined ? null : legacyScope(merchant)
}

function bounded(text: string, field: string, mostBytes: number): string {
  const trimmed = text.trim()
  const bytes = Buffer.byteLength(trimmed)
  if (bytes === 0 || bytes > mostBytes) throw new Refusal(`${field} must be 1 to ${mostBytes} bytes`)
  return trimmed
}
