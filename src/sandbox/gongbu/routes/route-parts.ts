import type { AdmissionParts, Diagnostic } from '../admission/create.ts'
import type { ArtifactStore } from '../artifacts/store.ts'
import type { ExecutionStore } from '../executions/store.ts'
import type { Signal } from '../reconciliation/signal-body.ts'
import type { Readiness } from './readiness.ts'

/** The stores, ports and tokens of the routes. */
export interface RouteParts {
  admission: AdmissionParts
  executions: ExecutionStore
  artifacts: ArtifactStore
  readiness: Readiness
  stamp: { productVersion: string; sourceCommit: string }
  tokens: { caller: string; operator: string; admin?: string }
  boundAccountId?: string
  /** Told about each refusal that carries a diagnostic. */
  onDiagnostic(diagnostic: Diagnostic): void
  /** Records an operator signal and has it served; throws when that fails. */
  signal(executionId: string, signal: Signal): void
}
