// When prompts and resources count as changed.
import { expect, test } from 'vitest'
import type { Mounts } from '../../src/downstream/mounts.ts'
import type { Offer } from '../../src/downstream/offer.ts'
import { offerDigests } from '../../src/gateway/offer-digests.ts'

const nothing: Offer = { tools: [], resources: [], resourceTemplates: [], prompts: [], notes: [] }

function digests(...offers: Partial<Offer>[]) {
  const mounts = {
    servers: () => offers.map((_, n) => ({ name: `s${n}`, isConnected: true })),
    server: (name: string) => ({ offer: { ...nothing, ...offers[Number(name.slice(1))] } }),
  } as unknown as Pick<Mounts, 'servers' | 'server'>
  return offerDigests(mounts, () => true)
}

test('a server that has none changes nothing, and each list has its own text', () => {
  const [prompts, resources] = [[{ name: 'p' }], [{ uri: 'a:b' }]]
  expect(digests({ prompts })).toEqual(digests({ prompts }, {}))
  expect(digests({ resources })).toEqual(digests({ resources }, {}))
  expect(digests({ prompts }).resources).toBe(digests().resources)
  expect(digests({ resources }).prompts).toBe(digests().prompts)
  expect(digests({ prompts }).prompts).not.toBe(digests().prompts)
})
