// The port to a provider: whoever makes the pictures.
import type { ProviderImage } from '../artifacts/store.ts'
import type { JsonObject } from '../json/json-text.ts'
import type { TargetKey } from '../executions/execution.ts'

/** One piece of work. */
export interface ProviderWork extends TargetKey {
  executionId: string
  attemptId: string
  input: JsonObject
  /** Decimal text. */
  inputSchemaVersion: string
  imageCount: number
}

/** Ids by which the provider knows the work. */
export interface ProviderIds {
  requestId?: string
  operationId?: string
}

/** What became of the work. `failed` is proven to cost nothing, `ambiguous` may have been done. */
export type ProviderResult = ProviderIds &
  (
    | {
        kind: 'succeeded'
        images: ProviderImage[]
        /** Undefined: the provider gave no usage at all. */
        usage: { images?: number | null } | undefined
        price?: { amountMinor: number; currency?: string }
      }
    | { kind: 'failed'; code: string }
    | { kind: 'ambiguous'; code: string }
  )

/** Somebody who does the work. */
export interface Provider {
  /** A code when the work cannot be taken, else undefined. No effect outside. */
  preflight(work: Pick<ProviderWork, 'input' | 'inputSchemaVersion'>): string | undefined
  /** Does the work, once. A rejection is a crash of the step. `signal` aborts when nobody waits any more. */
  invoke(work: ProviderWork, signal: AbortSignal): Promise<ProviderResult>
}
