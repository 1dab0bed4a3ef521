// Which names a server may have whose names go out as they are.
import { expect, test } from 'vitest'
import { demandOwnNames } from '../../src/downstream/bare-names.ts'
import { mountTools } from '../../src/downstream/definition.ts'
import type { Offer } from '../../src/downstream/offer.ts'
import { ToolPlans } from '../../src/downstream/tool-plans.ts'

const nothing: Offer = { tools: [], resources: [], resourceTemplates: [], prompts: [], notes: [] }
const admitted = (name: string) => {
  const definition = { name, description: 'd', inputSchema: { type: 'object' } }
  return { listed: definition, shown: { kind: 'definition' as const, definition }, leftOut: [] }
}
const withTools = (...names: string[]): Offer => ({ ...nothing, tools: names.map(admitted) })

test.each([
  ['hubu_health'],
  ['gongbu_x'],
  ['Hubu_x'],
  ['call_tool'],
  ['mcphub_call_tool'],
  ['find_operations'],
  ['a__b'],
])('%s refuses the whole server', (name) => {
  expect(() => demandOwnNames(withTools('echo', name))).toThrow(name)
  expect(() => demandOwnNames({ ...nothing, prompts: [{ name }] })).toThrow(name)
})

test('two names that differ by case alone, and addresses with a scheme of ours, refuse it', () => {
  expect(() => demandOwnNames(withTools('echo', 'Echo'))).toThrow('differs from another one by case alone')
  expect(() => demandOwnNames({ ...nothing, resources: [{ uri: 'hubu-result://a' }] })).toThrow('hubu-result')
  expect(() => demandOwnNames({ ...nothing, resourceTemplates: [{ uriTemplate: 'MCPHUB://{a}' }] })).toThrow('scheme')
})

test('anything else goes out as it is, and is found with the name of its server, too', () => {
  const offer = { ...withTools('s_echo', 'odd name'), prompts: [{ name: 's_echo' }], resources: [{ uri: 'file:///a' }] }
  demandOwnNames(offer)
  const [tool] = mountTools('s', offer.tools, true)
  expect(tool).toMatchObject({ publicName: 's_echo', wireName: 's_echo', shown: offer.tools[0]?.shown })
  const plan = new ToolPlans(
    () => offer.tools,
    () => true,
  ).of('s')
  expect(plan.find('s_echo')?.wireName).toBe('s_echo')
  expect(plan.find('echo')?.wireName).toBe('s_echo')
  expect(plan.byPublicName.has('odd name')).toBe(true)
})
