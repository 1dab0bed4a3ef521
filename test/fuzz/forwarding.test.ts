import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { toolDefinitions } from '#generated/catalog.js'
import { ownership, type ToolName } from '#generated/ownership.js'
import { ajvOptions } from '../../scripts/codegen/emit-validators.ts'
import { healthyGongbu, healthyHubu, probePaths } from '../support/healthy-backends.ts'
import type { SeenRequest, StubBackend } from '../support/stub-backend.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { anyPiece, factsOf, print, type JsonText } from './json-text.ts'
import { expectedRequest, isForwardable } from './what-is-forwarded.ts'
import { seed } from './seed.ts'
import { servedRouter, type Reply, type ServedRouter } from './served-router.ts'
import { fitting, nearlyFitting, type ToolSchema } from './tool-arguments.ts'

const ajv = new Ajv2020(ajvOptions)
const folder = tempFolder()
let hubu: StubBackend
let gongbu: StubBackend
let router: ServedRouter

beforeAll(async () => {
  hubu = await healthyHubu()
  gongbu = await healthyGongbu()
  router = await servedRouter({
    HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href,
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-token',
    HUBU_UNIFIED_GONGBU_ENDPOINT: gongbu.url.href,
    HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'gongbu-token',
    HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('registry.sqlite3'),
    HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '60000',
    HUBU_UNIFIED_OPERATION_TICK_MS: '10',
    HUBU_MCP_TRUST_CLIENT_APPROVAL: '1',
    HUBU_RECONCILIATION_TOKEN: 'capability',
  })
})

afterAll(async () => {
  await router[Symbol.asyncDispose]()
  await Promise.all([hubu.stop(), gongbu.stop()])
  folder[Symbol.dispose]()
})

let calls = 0
const isSpend = (tool: ToolName) => ownership[tool].approval_class === 'spend'

/** Calls a tool with these raw arguments; what reached the backends meanwhile, probes apart. A spend gets a call id of its own. */
async function call(
  tool: ToolName,
  rawArguments: string,
  rawMeta = 'null',
): Promise<{ reply: Reply; seen: SeenRequest[] }> {
  const before = [hubu.exchanges.length, gongbu.exchanges.length] as const
  const meta = isSpend(tool) ? `{"callId":"call-${++calls}"}` : rawMeta
  const reply = await router.request('tools/call', `{"_meta":${meta},"name":"${tool}","arguments":${rawArguments}}`)
  const exchanges = [...hubu.exchanges.slice(before[0]), ...gongbu.exchanges.slice(before[1])]
  const isProbe = ({ method, path }: SeenRequest) => method === 'GET' && probePaths.has(path) && tool !== 'hubu_health'
  return { reply, seen: exchanges.map(({ request }) => request).filter((request) => !isProbe(request)) }
}

const runs = 60
/** The tools whose every call is answered by one request of its own. */
const forwarded = toolDefinitions.filter(
  ({ name }) => ownership[name].method !== null && name !== 'gongbu_create_execution',
)

describe.each(forwarded.map(({ name, inputSchema }) => ({ name, schema: inputSchema as ToolSchema })))(
  '$name',
  ({ name, schema }) => {
    const accepts = ajv.compile(schema)

    test('sends what it takes in one request, number for number and text for text, and nothing of what it refuses', async () => {
      const counts = { sent: 0, refused: 0 }
      const sample = fc.oneof(fitting(schema), nearlyFitting(schema))
      await fc.assert(
        fc.asyncProperty(sample, anyPiece, async (piece, meta) => {
          const text = print(piece)
          const args: unknown = JSON.parse(text)
          const { reply, seen } = await call(name, text, print(meta))
          const isAmbiguous = !isSpend(name) && factsOf(meta).hasDuplicate
          if (isAmbiguous || !isForwardable(name, args, factsOf(piece), accepts(args))) {
            expect({ seen, isRefused: isRefused(reply) }).toEqual({ seen: [], isRefused: true })
            counts.refused++
          } else {
            expect(seen.map((request) => withoutOurs(name, request))).toEqual([
              expectedRequest(name, args as Record<string, unknown>),
            ])
            counts.sent++
          }
        }),
        { numRuns: runs, seed },
      )
      expect(counts.sent).toBeGreaterThan(runs / 20)
      expect(counts.refused).toBeGreaterThan(0)
    })
  },
)

describe('gongbu_create_execution', () => {
  const name = 'gongbu_create_execution'
  const schema = toolDefinitions.find((tool) => tool.name === name)?.inputSchema as ToolSchema
  const accepts = ajv.compile(schema)

  /** An authorization of its own for every sample. */
  async function authorize(): Promise<string> {
    const { reply } = await call('hubu_authorize_spend', '{"account_id":"a","amount_cents":25,"reason":"r"}')
    return (reply.result?.structuredContent as { auth_token_id: string }).auth_token_id
  }

  function withToken(piece: JsonText, token: string): JsonText {
    if (piece.kind !== 'object') return piece
    const value: JsonText = { kind: 'string', value: token, isEscaped: false }
    return {
      ...piece,
      members: piece.members.map((member) => (member[0] === 'spend_auth_token_id' ? [member[0], value] : member)),
    }
  }

  test('has the worker post what it takes, number for number and text for text, and nothing of what it refuses', async () => {
    const counts = { sent: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.oneof(fitting(schema), nearlyFitting(schema)), async (sample) => {
        const piece = withToken(sample, await authorize())
        const text = print(piece)
        const args: unknown = JSON.parse(text)
        const before = posts().length
        const { reply } = await call(name, text)
        if (!isForwardable(name, args, factsOf(piece), accepts(args))) {
          expect(isRefused(reply)).toBe(true)
          expect(posts()).toHaveLength(before)
          counts.refused++
        } else {
          expect(reply.result?.isError).toBe(false)
          while (posts().length === before) await gongbu.whenSeen(gongbu.exchanges.length + 1)
          const posted = posts()
            .slice(before)
            .map((request) => withoutOurs(name, request))
          expect(posted).toEqual([expectedRequest(name, args as Record<string, unknown>)])
          counts.sent++
        }
      }),
      { numRuns: runs, seed },
    )
    expect(counts.sent).toBeGreaterThan(runs / 20)
    expect(counts.refused).toBeGreaterThan(0)
  })

  const posts = () => gongbu.exchanges.map(({ request }) => request).filter(({ method }) => method === 'POST')
})

/** What a request says of the arguments: its content without the members that the router adds. */
function withoutOurs(tool: ToolName, { method, path, body }: SeenRequest): object {
  if (method === 'GET') {
    const [route, query = ''] = path.split('?')
    return { method, path: route, content: [...new URLSearchParams(query)] }
  }
  const { operation_key: key, task_id: task, source, ...content } = JSON.parse(body) as Record<string, unknown>
  expect({ key: typeof key, task, source }).toEqual({
    key: isSpend(tool) ? 'string' : 'undefined',
    task: isSpend(tool) ? null : undefined,
    source: tool === 'hubu_apply_policy' ? 'mcp' : undefined,
  })
  return { method, path, content }
}

function isRefused({ result, error }: Reply): boolean {
  return error?.code === -32602 || error?.code === -32000 || result?.isError === true
}
