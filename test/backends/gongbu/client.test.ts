import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createGongbuClient, type GongbuClient } from '../../../src/backends/gongbu/client.ts'
import { isSafeId, toGongbuRequest } from '../../../src/backends/gongbu/request.ts'
import { Secret } from '../../../src/redaction/secret.ts'
import { rawServer, response, type Answer, type RawServer } from '../raw-server.ts'
import { artifact, execution } from './bodies.ts'

async function withGongbu<T>(answer: Answer, use: (gongbu: GongbuClient, server: RawServer) => Promise<T>): Promise<T> {
  await using server = await rawServer(answer)
  const gongbu = createGongbuClient({ endpoint: server.url, bearer: new Secret('gongbu-canary') })
  try {
    return await use(gongbu, server)
  } finally {
    await gongbu.close()
  }
}

const routesOf = (server: RawServer) => server.requests.map(({ head }) => head.split(' ').slice(0, 2).join(' '))
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

test('each method sends its one request, with the Gongbu bearer', async () => {
  await withGongbu(
    (socket, { head }) => {
      if (head.includes('/artifacts ')) {
        socket.end(response(JSON.stringify({ schema_version: 1, execution_id: 'exec-1', artifacts: [artifact()] })))
      } else if (head.includes('/artifacts/')) socket.end(response(png, { type: 'image/png; x=y' }))
      else socket.end(response(JSON.stringify(execution({ schema_version: head.includes('/v2/') ? 2 : 1 }))))
    },
    async (gongbu, server) => {
      const text = '{"schema_version":2,"input":{"prompt":"grüße"}}'
      expect((await gongbu.createExecution(text, { operationKey: 'key-1' })).kind).toBe('execution')
      expect((await gongbu.readExecution('exec-1')).kind).toBe('execution')
      expect((await gongbu.listArtifacts('exec-1')).kind).toBe('artifacts')
      const image = await gongbu.readArtifact('art-1')
      expect(routesOf(server)).toEqual([
        'POST /v2/executions',
        'GET /v1/executions/exec-1',
        'GET /v1/executions/exec-1/artifacts',
        'GET /v1/artifacts/art-1',
      ])
      expect(server.requests[0]?.body).toBe(text)
      for (const { head } of server.requests) expect(head).toContain('authorization: Bearer gongbu-canary')
      const sha256 = image.kind === 'artifact' ? createHash('sha256').update(image.bytes).digest('hex') : ''
      expect(sha256).toBe('4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6')
    },
  )
})

test('a further secret that Gongbu repeats does not come back, even one that became known later', async () => {
  await using server = await rawServer((socket) =>
    socket.end(response(JSON.stringify(execution({ outcome: 'hubu-canary capability-canary' })))),
  )
  const secrets = [new Secret('hubu-canary')]
  const gongbu = createGongbuClient({ endpoint: server.url, bearer: new Secret('gongbu-canary'), secrets })
  secrets.push(new Secret('capability-canary'))
  expect(await gongbu.readExecution('exec-1')).toMatchObject({ execution: { outcome: '[REDACTED] [REDACTED]' } })
  await gongbu.close()
})

test('a bound read holds the answer against the key and the id of the registry', async () => {
  await withGongbu(
    (socket) => socket.end(response(JSON.stringify(execution()))),
    async (gongbu) => {
      expect((await gongbu.readExecution('exec-1', { operationKey: 'key-1', executionId: 'exec-1' })).kind).toBe(
        'execution',
      )
      const conflict = { kind: 'error', code: 'identity_conflict' }
      expect(await gongbu.readExecution('exec-1', { operationKey: 'key-2', executionId: 'exec-1' })).toMatchObject(
        conflict,
      )
      expect(await gongbu.readExecution('exec-1', { operationKey: 'key-1', executionId: 'exec-9' })).toMatchObject(
        conflict,
      )
      expect(await gongbu.readExecution('exec-2')).toMatchObject(conflict)
      const foreign = { operationKey: 'key-1', executionId: 'exec-9' }
      expect(await gongbu.createExecution('{}', foreign)).toMatchObject(conflict)
    },
  )
})

test('a broken read is unavailable after one connection; a JSON body over 1 MiB is invalid', async () => {
  await withGongbu(
    (socket) => socket.destroy(),
    async (gongbu, server) => {
      expect(await gongbu.readExecution('exec-1')).toMatchObject({ code: 'gongbu_unavailable', class: 'transient' })
      expect(server.sockets).toHaveLength(1)
    },
  )
  const long = JSON.stringify(execution({ outcome: 'x'.repeat(1_048_576) }))
  await withGongbu(
    (socket) => socket.end(response(long)),
    async (gongbu) => expect(await gongbu.readExecution('exec-1')).toMatchObject({ code: 'invalid_response' }),
  )
})

test('an artifact that declares 64 MiB and one byte is refused without reading it', async () => {
  await withGongbu(
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 67108865\r\n\r\n'),
    async (gongbu) => expect(await gongbu.readArtifact('art-1')).toMatchObject({ code: 'invalid_artifact' }),
  )
})

test('nothing of an error body, nor the token, is in a failure', async () => {
  const body = '{"error":{"code":"invalid_request","message":"no gongbu-canary"},"more":"gongbu-canary"}'
  for (const [status, text] of [
    [400, body],
    [500, body],
    [200, 'not-json-gongbu-canary'],
  ] as const) {
    await withGongbu(
      (socket) => socket.end(response(text, { status })),
      async (gongbu) => {
        const replies = [await gongbu.readExecution('exec-1'), await gongbu.listArtifacts('exec-1')]
        for (const reply of replies)
          expect(JSON.stringify(reply) + inspect(reply, { depth: 9 })).not.toContain('canary')
      },
    )
  }
})

test('the token inside a success is redacted, in names and in strings', async () => {
  const list = {
    schema_version: 1,
    execution_id: 'exec-1',
    artifacts: [
      artifact({
        metadata: { note: 'a gongbu-canary b', 'gongbu-canary': Buffer.from('gongbu-canary').toString('base64') },
      }),
    ],
  }
  await withGongbu(
    (socket, { head }) =>
      socket.end(
        response(JSON.stringify(head.includes('/artifacts ') ? list : execution({ outcome: 'gongbu-canary' }))),
      ),
    async (gongbu) => {
      expect(await gongbu.readExecution('exec-1')).toMatchObject({
        execution: { outcome: '[REDACTED]', status: 'succeeded' },
      })
      const reply = await gongbu.listArtifacts('exec-1')
      const metadata = { note: 'a [REDACTED] b', '[REDACTED]': '[REDACTED]' }
      expect(reply).toEqual({ kind: 'artifacts', list: { ...list, artifacts: [artifact({ metadata })] } })
    },
  )
})

test('a probe asks livez, readyz and version in this order, all of them', async () => {
  await withGongbu(
    (socket, { head }) =>
      head.includes('/version') ? socket.end(response('{"product_version":"1"}')) : socket.destroy(),
    async (gongbu, server) => {
      expect(await gongbu.probe()).toEqual({
        live: { kind: 'none' },
        ready: { kind: 'none' },
        version: { kind: 'json', status: 200, body: { product_version: '1' } },
      })
      expect(routesOf(server)).toEqual(['GET /livez', 'GET /readyz', 'GET /version'])
    },
  )
})

test('only safe ids come into a path', () => {
  for (const id of ['exec-1', 'A_b-9', 'x'.repeat(255)]) expect(isSafeId(id)).toBe(true)
  for (const id of ['', 'bad/id', '..', 'a b', 'é', 'x'.repeat(256), 'a\n', 5, null]) {
    expect(isSafeId(id)).toBe(false)
    expect(() => toGongbuRequest('gongbu_get_execution', { execution_id: id as string })).toThrow('execution_id')
  }
})
