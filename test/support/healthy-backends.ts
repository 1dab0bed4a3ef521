// Backends that are well and say yes, for tests that need something to answer behind the router.
import { testStamp } from './built-bin.ts'
import { stubBackend, type Canned, type SeenRequest, type StubBackend } from './stub-backend.ts'

/** Answers a request, at once or later, or leaves it to what a healthy backend says. */
export type Answer = (request: SeenRequest, gone: Promise<void>) => Canned | Promise<Canned> | undefined

const ok = (json: unknown): Canned => ({ status: 200, json })
const executor = 'hubu-spend-executor-v4.3'
const version = { product_version: testStamp.productVersion, source_commit: testStamp.sourceCommit }

/** A Hubu of our release that allows every spend under a token of its own and answers everything else with `{}`. */
export function healthyHubu(answer: Answer = () => undefined): Promise<StubBackend> {
  let tokens = 0
  return stubBackend((request, gone) => {
    const given = answer(request, gone)
    if (given !== undefined) return given
    switch (request.path) {
      case '/health':
        return ok({ status: 'ok' })
      case '/version':
        return ok({ ...version, executor_contract: executor })
      case '/spend':
      case '/spend/authorize': {
        const { operation_key: key, task_id: task } = JSON.parse(request.body) as Record<string, unknown>
        const token = request.path === '/spend' ? null : `token-${++tokens}`
        return ok({ decision: 'allow', decision_id: 'd', auth_token_id: token, operation_key: key, task_id: task })
      }
      default:
        return ok({})
    }
  })
}

/** A Gongbu of our release whose executions succeed at once. */
export function healthyGongbu(answer: Answer = () => undefined): Promise<StubBackend> {
  let executions = 0
  return stubBackend((request, gone) => {
    const given = answer(request, gone)
    if (given !== undefined) return given
    switch (request.path) {
      case '/livez':
        return ok({ status: 'live' })
      case '/readyz':
        return ok({ status: 'ready' })
      case '/version':
        return ok({ ...version, ...gongbuVersions })
      case '/v2/executions':
        return ok(executionBody(`exec-${++executions}`, 2))
      default:
        return readAnswer(request.path)
    }
  })
}

const gongbuVersions = {
  hubu_executor_contract: executor,
  api_schema_version: 2,
  mcp_schema_version: 2,
  mcp_protocol_version: '2024-11-05',
}

/** A picture of eight bytes. */
const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')

function readAnswer(path: string): Canned {
  const [, , kind, id = '', part] = path.split('/')
  if (kind === 'artifacts') return { status: 200, contentType: 'image/png', base64: png }
  if (part === 'artifacts') return ok({ schema_version: 1, execution_id: id, artifacts: [] })
  return ok(executionBody(id, 1))
}

/** An execution that has succeeded. `operation_key` is a stranger's: a stub does not know the router's. */
export function executionBody(id: string, schemaVersion: 1 | 2, more: object = {}): Record<string, unknown> {
  return {
    schema_version: schemaVersion,
    execution_id: id,
    operation_key: 'hubu:operation:v1:codex:of-somebody-else',
    status: 'succeeded',
    outcome: 'done',
    failure: null,
    authorization: { amount_minor: 25, currency: 'USD' },
    created_at: '2026-11-29T00:00:00Z',
    updated_at: '2026-11-29T00:00:01Z',
    started_at: null,
    completed_at: null,
    ...more,
  }
}

/** Paths that the router asks on its own account. */
export const probePaths: ReadonlySet<string> = new Set(['/health', '/version', '/livez', '/readyz'])
