// The four Gongbu tools: a create that only acknowledges, the worker behind it, and the reads.
import type { Canned } from '../../support/stub-backend.ts'
import { call, json, type CallCase } from './case.ts'
import { ids } from './hubu-bodies.ts'
import { authorize } from './spend-tools.ts'
import type { Step } from './world.ts'

const executionId = '3f1d9a52-6d0b-4c6e-9a57-8b0f2f6f1c11'
const artifactId = 'b0c8a6f4-2f0e-4a43-8f2a-6f3c3d1e9a77'

/** The handle and the private key of the first operation of a world. */
export const firstHandle = `hubu:public-operation:v1:${'3'.padStart(32, '0')}`
const firstKey = `hubu:operation:v1:codex:${'2'.padStart(32, '0')}`

const intent = {
  schema_version: 2,
  spend_auth_token_id: ids.token,
  input: { prompt: 'a paper boat on a pond', image_count: 1 },
  input_schema_version: 1,
  workload_type: 'image_generation',
  provider: 'sandbox',
  adapter: 'fixture',
  model: 'deterministic-image-v1',
}

/** An execution as Gongbu tells it: schema 2 to a create, 1 to a read. */
export function execution(schemaVersion: 1 | 2, status: string, more: object = {}): Canned {
  return json({
    schema_version: schemaVersion,
    execution_id: executionId,
    operation_key: firstKey,
    status,
    outcome: null,
    failure: null,
    authorization: { amount_minor: 25, currency: 'USD' },
    created_at: '2026-11-29T12:00:01Z',
    updated_at: '2026-11-29T12:00:01Z',
    started_at: null,
    completed_at: null,
    ...more,
  })
}

const refused = (status: number, error: object): Canned => json({ schema_version: 2, error }, status)

const create = (args: object = intent): Step => call('gongbu_create_execution', args)
const work = (...gongbu: Canned[]): Step => ({ kind: 'worker', answers: { gongbu } })
const look: Step = call('hubu_operation_status', { operation_handle: firstHandle })

/** The smallest PNG that there is: one transparent pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const artifacts = {
  schema_version: 1,
  execution_id: executionId,
  artifacts: [
    {
      artifact_id: artifactId,
      execution_id: executionId,
      kind: 'image',
      media_type: 'image/png',
      size_bytes: 70,
      sha256: 'd1'.repeat(32),
      storage_key: 'private/place.png',
      metadata: { width: 1, height: 1, storage_path: '/private/place.png', api_token: 'hidden', note: firstKey },
      metadata_schema_version: 1,
      created_at: '2026-11-29T12:00:02Z',
    },
  ],
}

const creates: CallCase[] = [
  {
    tool: 'gongbu_create_execution',
    kind: 'success',
    says: 'the create only acknowledges; the worker posts the bound request and follows it to its end',
    steps: [
      authorize,
      create(),
      create(),
      work(execution(2, 'pending')),
      look,
      work(execution(1, 'succeeded')),
      look,
      create(),
    ],
  },
  {
    tool: 'gongbu_create_execution',
    kind: 'backend-error',
    says: 'an unready Gongbu is asked for no execution',
    given: { gongbu: 'degraded' },
    steps: [authorize, create()],
  },
  {
    tool: 'gongbu_create_execution',
    kind: 'backend-error',
    variant: 'not-admitted',
    says: 'an admission diagnostic reaches the status as reason and fields, the internal code does not',
    steps: [
      authorize,
      create(),
      work(
        refused(400, {
          code: 'invalid_request',
          message: 'no such target',
          reason_code: 'target_not_selectable',
          fields: ['workload_type', 'provider', 'adapter', 'model'],
        }),
      ),
      look,
    ],
  },
  {
    tool: 'gongbu_create_execution',
    kind: 'backend-error',
    variant: 'retry',
    says: 'after a failed dispatch the very same bytes are posted again',
    steps: [
      authorize,
      create(),
      work(refused(503, { code: 'unavailable', message: 'x' })),
      look,
      work(execution(2, 'executing')),
      look,
    ],
  },
  {
    tool: 'gongbu_create_execution',
    kind: 'rejection',
    says: 'what only the platform may set is refused wherever it stands in the input',
    steps: [authorize, create({ ...intent, input: { prompt: 'x', options: [{ 'Bearer-Token': 'y' }] } })],
  },
  {
    tool: 'gongbu_create_execution',
    kind: 'rejection',
    variant: 'schema',
    says: 'an unknown member is a tool error with its violation',
    steps: [create({ ...intent, account_id: ids.account })],
  },
  {
    tool: 'gongbu_create_execution',
    kind: 'rejection',
    variant: 'unknown-authorization',
    says: 'an authorization that this registry does not know starts nothing',
    steps: [create()],
  },
  {
    tool: 'gongbu_create_execution',
    kind: 'rejection',
    variant: 'other-intent',
    says: 'one authorization is bound to one intent',
    steps: [authorize, create(), create({ ...intent, input: { prompt: 'two boats', image_count: 1 } })],
  },
]

const reads: CallCase[] = [
  {
    tool: 'gongbu_get_execution',
    kind: 'success',
    says: 'an execution that the registry knows shows its handle and moves the operation; the private key stays hidden',
    steps: [
      authorize,
      create(),
      work(execution(2, 'pending')),
      call('gongbu_get_execution', { execution_id: executionId }, { gongbu: [execution(1, 'succeeded')] }),
      look,
    ],
  },
  {
    tool: 'gongbu_get_execution',
    kind: 'success',
    variant: 'unbound',
    says: 'an execution of somebody else is projected without a handle',
    steps: [
      call(
        'gongbu_get_execution',
        { execution_id: executionId },
        {
          gongbu: [
            execution(1, 'failed', {
              operation_key: 'another:op-1',
              failure: { code: 'provider_error', message: `another:op-1 failed, and ${firstKey} too`, trace: 'x' },
              storage_root: '/private',
            }),
          ],
        },
      ),
    ],
  },
  {
    tool: 'gongbu_get_execution',
    kind: 'backend-error',
    says: 'a missing execution is a tool error in our own words',
    steps: [
      call(
        'gongbu_get_execution',
        { execution_id: 'exec-404' },
        { gongbu: [refused(404, { code: 'not_found', message: 'execution exec-404 of tenant 7 not found' })] },
      ),
    ],
  },
  {
    tool: 'gongbu_get_execution',
    kind: 'rejection',
    says: 'an id outside the alphabet goes no further',
    steps: [call('gongbu_get_execution', { execution_id: '../artifacts' })],
  },
  {
    tool: 'gongbu_list_artifacts',
    kind: 'success',
    says: 'known members only; places, keys and credentials are scrubbed from the metadata',
    steps: [call('gongbu_list_artifacts', { execution_id: executionId }, { gongbu: [json(artifacts)] })],
  },
  {
    tool: 'gongbu_list_artifacts',
    kind: 'backend-error',
    says: 'a rate limit is a tool error',
    steps: [
      call(
        'gongbu_list_artifacts',
        { execution_id: executionId },
        { gongbu: [{ status: 429, contentType: 'text/html', text: '<h1>slow down</h1>' }] },
      ),
    ],
  },
  {
    tool: 'gongbu_list_artifacts',
    kind: 'rejection',
    says: 'a missing id is a tool error with its violation',
    steps: [call('gongbu_list_artifacts', {})],
  },
  {
    tool: 'gongbu_get_artifact',
    kind: 'success',
    says: 'metadata computed from the bytes, then the picture',
    steps: [
      call(
        'gongbu_get_artifact',
        { artifact_id: artifactId },
        { gongbu: [{ status: 200, contentType: 'image/png', base64: png }] },
      ),
    ],
  },
  {
    tool: 'gongbu_get_artifact',
    kind: 'backend-error',
    says: 'bytes that are no picture are not passed on',
    steps: [
      call(
        'gongbu_get_artifact',
        { artifact_id: artifactId },
        { gongbu: [{ status: 200, contentType: 'text/html', text: '<h1>gone</h1>' }] },
      ),
    ],
  },
  {
    tool: 'gongbu_get_artifact',
    kind: 'rejection',
    says: 'an execution id under the wrong name is refused',
    steps: [call('gongbu_get_artifact', { execution_id: executionId })],
  },
]

/** All four tools. */
export const gongbuCases: CallCase[] = [...creates, ...reads]
