import { redactSecrets } from '../../redaction/replace.ts'
import type { Secret } from '../../redaction/secret.ts'
import { createHttpClient, type HttpClientOptions, type HttpOutcome } from '../http-client.ts'
import { probeGongbu, type GongbuProbe } from '../probe.ts'
import { toGongbuRequest } from './request.ts'
import {
  maxArtifactBytes,
  maxJsonBytes,
  readArtifact,
  readArtifacts,
  readExecution,
  type ArtifactReply,
  type ArtifactsReply,
  type ExecutionReply,
} from './response.ts'

/**
 * Gongbu over HTTP. Every method sends one request and never rejects for what Gongbu does. Our secrets, should Gongbu
 * repeat one, are `[REDACTED]` in what a reply holds.
 */
export interface GongbuClient {
  /** Posts the stored canonical request, byte for byte. `operationKey` is the row's private key. */
  createExecution(requestJson: string, bound: BoundExecution): Promise<ExecutionReply>
  /** Reads an execution; `bound` when a registry row knows it. */
  readExecution(executionId: string, bound?: BoundExecution, options?: ReadOptions): Promise<ExecutionReply>
  listArtifacts(executionId: string, options?: ReadOptions): Promise<ArtifactsReply>
  readArtifact(artifactId: string, options?: ReadOptions): Promise<ArtifactReply>
  /** One round of probes. */
  probe(): Promise<GongbuProbe>
  close(): Promise<void>
}

/** What the registry knows about an execution. */
export interface BoundExecution {
  readonly operationKey: string
  readonly executionId?: string | null
}

export interface ReadOptions {
  readonly signal?: AbortSignal
}

/** Creates the client; connects to nothing yet. `secrets` are further values that must not come out of a reply; it may grow. */
export function createGongbuClient(
  options: HttpClientOptions & { readonly secrets?: readonly Secret[] },
): GongbuClient {
  const http = createHttpClient(options)
  const hide = <T>(reply: T): T => redactSecrets(reply, [options.bearer, ...(options.secrets ?? [])], '[REDACTED]')
  const read = (path: string, maxBytes: number, { signal }: ReadOptions = {}): Promise<HttpOutcome> =>
    http.send({ method: 'GET', path }, { maxBytes, ...(signal && { signal }) })

  return {
    async createExecution(requestJson, { operationKey, executionId }) {
      const outcome = await http.send(toGongbuRequest('gongbu_create_execution', {}, requestJson), {
        maxBytes: maxJsonBytes,
      })
      return hide(readExecution(outcome, { schemaVersion: 2, operationKey, executionIds: [executionId] }))
    },
    async readExecution(executionId, bound, readOptions) {
      const { path } = toGongbuRequest('gongbu_get_execution', { execution_id: executionId })
      const outcome = await read(path, maxJsonBytes, readOptions)
      const key = bound && { operationKey: bound.operationKey }
      return hide(readExecution(outcome, { schemaVersion: 1, ...key, executionIds: [executionId, bound?.executionId] }))
    },
    async listArtifacts(executionId, readOptions) {
      const { path } = toGongbuRequest('gongbu_list_artifacts', { execution_id: executionId })
      return hide(readArtifacts(await read(path, maxJsonBytes, readOptions), executionId))
    },
    async readArtifact(artifactId, readOptions) {
      const { path } = toGongbuRequest('gongbu_get_artifact', { artifact_id: artifactId })
      return readArtifact(await read(path, maxArtifactBytes, readOptions))
    },
    probe: async () => hide(await probeGongbu(http)),
    close: () => http.close(),
  }
}
