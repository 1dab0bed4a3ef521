import { describe, expect, test } from 'vitest'
import { createWorld, textResult } from './world.ts'

const dayMs = 24 * 60 * 60 * 1000

async function uris(world: ReturnType<typeof createWorld>): Promise<string[]> {
  const list = await world.results.listResources(world.viewer)
  return (list?.resources as { uri: string }[]).map((resource) => resource.uri)
}

describe('stored results as resources', () => {
  test('are listed newest first until they expire, and read whole', async () => {
    using world = createWorld()
    expect(await uris(world)).toEqual([])
    const result = textResult(`"quoted" \\ 界😀 `.repeat(9000))
    const first = await world.receipt(result)
    world.clock.skip(1000)
    const second = await world.receipt(textResult('b'.repeat(4000)))
    const addresses = [second, first].map(({ callId }) => `hubu-result:///${callId}`)
    expect(await uris(world)).toEqual(addresses)
    const read = await world.results.readResource(addresses[1]!, world.viewer)
    expect(read.kind === 'contents' && JSON.parse(read.json)).toEqual({
      contents: [{ uri: addresses[1], mimeType: 'application/json', text: JSON.stringify(result) }],
    })
    world.clock.skip(dayMs - 1000)
    expect(await uris(world)).toEqual(addresses.slice(0, 1))
    expect(await world.results.readResource(addresses[1]!, world.viewer)).toEqual({ kind: 'unknown' })
  })

  test('come in lists of a hundred with a cursor, each once', async () => {
    using world = createWorld()
    const stored: string[] = []
    for (let n = 0; n < 205; n++) {
      if (n % 3 === 0) world.clock.skip(1)
      stored.push((await world.receipt(textResult(`${n}`.padEnd(600)))).callId)
    }
    const listed: string[] = []
    const sizes: number[] = []
    let cursor: string | undefined
    do {
      const list = await world.results.listResources(world.viewer, cursor)
      sizes.push(list!.resources.length)
      listed.push(...(list!.resources as { uri: string }[]).map(({ uri }) => uri.slice(-32)))
      cursor = list!.nextCursor
    } while (cursor !== undefined)
    expect(sizes).toEqual([100, 100, 5])
    expect([...listed].sort()).toEqual([...stored].sort())
    for (const foreign of ['', 'x', '1.2', `1.${'0'.repeat(32)}.1`]) {
      expect(await world.results.listResources(world.viewer, foreign)).toBeUndefined()
    }
  })

  test('follow the scope: nothing is listed that could not be paged', async () => {
    using world = createWorld()
    const { callId } = await world.receipt(textResult('a'.repeat(4000)))
    using scoped = createWorld({ folder: world.folder, isInScope: (server) => server === 'hubu' })
    expect(await uris(scoped)).toEqual([])
    expect(await scoped.results.readResource(`hubu-result:///${callId}`, scoped.viewer)).toEqual({
      kind: 'out_of_scope',
    })
  })

  test.each(['', 'hubu-result:///', `hubu-result:///${'g'.repeat(32)}`, `file:///${'0'.repeat(32)}`])(
    'another address is unknown: %s',
    async (uri) => {
      using world = createWorld()
      expect(await world.results.readResource(uri, world.viewer)).toEqual({ kind: 'unknown' })
    },
  )

  test('one template names how they are addressed', () => {
    using world = createWorld()
    expect(world.results.listResourceTemplates()).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'hubu-result:///{callId}', mimeType: 'application/json' }],
    })
  })

  test('of one principal are unknown to every other one, also under their names', async () => {
    using alice = createWorld({ principal: 'token:alice' })
    using bob = createWorld({ folder: alice.folder, principal: 'token:bob' })
    const { callId } = await alice.receipt(textResult('a'.repeat(4000)))
    const { callId: unknown } = await alice.receipt(textResult('b'.repeat(4000)))
    expect(await uris(bob)).toEqual([])
    expect(await bob.results.readResource(`hubu-result:///${callId}`, bob.viewer)).toEqual({ kind: 'unknown' })
    const never = await bob.get({ callId: 'c'.repeat(32) })
    expect((await bob.get({ callId })).structuredContent).toEqual({
      ...(never.structuredContent as object),
      callId,
    })
    expect((await uris(alice)).sort()).toEqual([callId, unknown].map((id) => `hubu-result:///${id}`).sort())
    await bob.receipt(textResult('c'.repeat(4000)))
    expect(await uris(alice)).toHaveLength(2)
  })
})
