import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createHubuClient, endpointTexts, type HubuClient } from '../../../src/backends/hubu/client.ts'
import { toHubuRequest } from '../../../src/backends/hubu/request.ts'
import { Secret } from '../../../src/redaction/secret.ts'
import { rawServer, response, type Answer } from '../raw-server.ts'

const bearer = new Secret('hubu-canary/+"token')
const capability = new Secret('recon-canary')

async function withHubu<T>(
  answer: Answer,
  use: (hubu: HubuClient, requests: () => string[]) => Promise<T>,
): Promise<T> {
  await using server = await rawServer(answer)
  const hubu = createHubuClient({ endpoint: server.url, bearer, secrets: [capability] })
  try {
    return await use(hubu, () => server.requests.map(({ head }) => head))
  } finally {
    await hubu.close()
  }
}

const budgets = toHubuRequest('hubu_list_budgets', {})
const create = toHubuRequest('hubu_create_budget', { amount_cents: 5 })

test('a read is one GET with the Hubu bearer, a mutation one POST', async () => {
  await withHubu(
    (socket) => socket.end(response('{"budgets":[]}')),
    async (hubu, requests) => {
      expect(await hubu.send(budgets)).toMatchObject({ kind: 'success', value: { budgets: [] } })
      expect(await hubu.send(create)).toMatchObject({ kind: 'success' })
      expect(requests().map((head) => head.split('\r\n')[0])).toEqual([
        'GET /budgets HTTP/1.1',
        'POST /budgets HTTP/1.1',
      ])
      for (const head of requests()) expect(head).toContain(`authorization: Bearer ${bearer.reveal()}`)
    },
  )
})

test('a mutation whose answer is no JSON is ambiguous after exactly one POST', async () => {
  await withHubu(
    (socket) => socket.end(response('secret-not-json')),
    async (hubu, requests) => {
      expect(await hubu.send(create)).toEqual({ kind: 'ambiguous', isTooLarge: false })
      expect(requests()).toHaveLength(1)
    },
  )
})

test('a request outside the route table causes no traffic', async () => {
  await withHubu(
    () => {},
    async (hubu, requests) => {
      await expect(hubu.send({ method: 'GET', path: '/admin' })).rejects.toMatchObject({ code: 'hubu_route_invalid' })
      expect(requests()).toHaveLength(0)
    },
  )
})

test('our secrets do not come back inside a success, however Hubu writes them', async () => {
  const plain = bearer.reveal()
  const said = {
    plain,
    url: encodeURIComponent(plain),
    base64: Buffer.from(plain).toString('base64'),
    [plain]: ['recon-canary'],
    fine: 'café',
  }
  const escaped = `{"e":"\\u0072econ\\u002dcanary","t":"hubu-canary\\/+\\"token"}`
  for (const body of [JSON.stringify(said), escaped]) {
    const reply = await withHubu(
      (socket) => socket.end(response(body)),
      (hubu) => hubu.send(budgets),
    )
    const shown = JSON.stringify(reply) + inspect(reply, { depth: 9 })
    for (const form of ['canary', said.url, said.base64, 'anary']) expect(shown).not.toContain(form)
    expect(shown).toContain('<redacted>')
  }
})

test('a refusal that echoes the bearer and the capability of the request shows neither', async () => {
  const used = new Secret('file-capability-canary')
  const evidence = { claim_id: 'claim-1', provider_reference: 'ref-1', evidence: 'seen' }
  const request = toHubuRequest('hubu_reconcile_vendor_did_not_bill_claim', evidence, {
    reconciliationCapability: used,
  })
  await withHubu(
    (socket, { head }) => {
      const echoed = /authorization: (.*)[\s\S]*capability: (.*)|capability: (.*)[\s\S]*authorization: (.*)/.exec(head)
      const error = echoed?.slice(1).filter(Boolean).join(' and ') ?? ''
      expect(error).toContain('file-capability-canary')
      socket.end(response(JSON.stringify({ error, more: [error] }), { status: 403 }))
    },
    async (hubu) => {
      const reply = await hubu.send(request)
      expect(reply).toMatchObject({ kind: 'application_error', status: 403 })
      expect(JSON.stringify(reply) + inspect(reply, { depth: 9 })).not.toContain('canary')
      expect(reply.kind === 'application_error' && reply.errorText?.split('<redacted>').length).toBe(3)
    },
  )
})

test('a refusal does not tell where Hubu is; a success may hold an address, for a human to open', async () => {
  await using server = await rawServer((socket, { head }, nth) => {
    const asked = head.split('\r\n', 2).join(' ')
    socket.end(response(JSON.stringify({ error: asked, review_url: asked }), { status: nth === 1 ? 409 : 200 }))
  })
  const hubu = createHubuClient({ endpoint: new URL('/tenant-canary/', server.url), bearer })
  const refusal = await hubu.send(budgets)
  expect(refusal).toMatchObject({ errorText: 'GET <redacted>/budgets HTTP/1.1 host: <redacted>' })
  expect(JSON.stringify(refusal)).not.toMatch(/canary|127\.0\.0\.1/)
  expect(await hubu.send(budgets)).toMatchObject({
    value: { review_url: `GET /tenant-canary/budgets HTTP/1.1 host: ${server.url.host}` },
  })
  await hubu.close()
})

test.each([
  ['http://hubu/', []],
  ['http://hubu/api', []],
  ['https://hubu.example/', ['hubu.example']],
  ['http://hubu:8787/tenants/7/', ['hubu:8787', '/tenants/7']],
  ['http://[::1]:8787', ['[::1]:8787']],
])('of the endpoint %s the texts %j would tell where it is', (endpoint, texts) => {
  expect(endpointTexts(new URL(endpoint)).map((text) => text.reveal())).toEqual(texts)
})

test('numbers stay as they were written beside a secret that goes', async () => {
  const reply = await withHubu(
    (socket) =>
      socket.end(response(`{"e":${JSON.stringify(bearer.reveal())},"cents":12345678901234567890,"rate":[1.50,1e400]}`)),
    (hubu) => hubu.send(budgets),
  )
  expect(reply).toMatchObject({ text: '{"e":"<redacted>","cents":12345678901234567890,"rate":[1.50,1e400]}' })
})

test('a success without secrets is given exactly as it came', async () => {
  const body = '{ "escaped": "\\u0041\\/", "fine": 1 }'
  const reply = await withHubu(
    (socket) => socket.end(response(body)),
    (hubu) => hubu.send(budgets),
  )
  expect(reply).toEqual({ kind: 'success', value: { escaped: 'A/', fine: 1 }, text: body })
})

test('a probe asks health, then version, also when health is bad', async () => {
  await withHubu(
    (socket, { head }) => {
      if (head.includes('/health')) socket.destroy()
      else socket.end(response('{"product_version":"1.2.3"}', { status: 500 }))
    },
    async (hubu, requests) => {
      const probe = await hubu.probe()
      expect(probe).toEqual({
        health: { kind: 'none' },
        version: { kind: 'json', status: 500, body: { product_version: '1.2.3' } },
      })
      expect(requests().map((head) => head.split(' ')[1])).toEqual(['/health', '/version'])
    },
  )
})

test('a probe answer that is no JSON, or endless, counts as none', async () => {
  await withHubu(
    (socket, { head }) => socket.end(response(head.includes('/health') ? 'ok' : JSON.stringify('x'.repeat(70_000)))),
    async (hubu) => expect(await hubu.probe()).toEqual({ health: { kind: 'none' }, version: { kind: 'none' } }),
  )
})
