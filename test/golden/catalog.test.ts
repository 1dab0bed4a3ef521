import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { toolDefinitions } from '#generated/catalog.js'
import { judgeGongbu, judgeHubu } from '../../src/capabilities/compatibility.ts'
import { listTools } from '../../src/calls/contract-surface.ts'
import { openSession } from '../server/session.ts'
import { probesOf, registryUp } from './capabilities/probes.ts'
import { stamp } from './calls/probes.ts'
import { expectGolden, folders, toGoldenText } from './recording.ts'

const everythingUp = {
  hubu: judgeHubu(probesOf.hubu.available, stamp),
  gongbu: judgeGongbu(probesOf.gongbu.available, stamp),
  registry: registryUp,
}
const listed = { tools: listTools(everythingUp, { storesResults: false }) }

test('tools/list with everything available is golden/catalog/tools-list.json, byte for byte', () => {
  expectGolden('catalog/tools-list.json', `${JSON.stringify(listed)}\n`)
})

test('the wire carries tools/list as it stands in golden/, unchanged by the SDK', async () => {
  const session = openSession({ listTools: () => Promise.resolve(listed) })
  const line = await session.exchange({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  await session.end()
  const golden = readFileSync(path.join(folders.golden, 'catalog/tools-list.json'), 'utf8').trimEnd()
  expect(line).toContain(`"result":${golden}`)
})

test('the four Gongbu tools have a name, a description and a schema only, as golden/catalog/gongbu.json says', () => {
  const gongbu = toolDefinitions.filter((tool) => tool.name.startsWith('gongbu_'))
  for (const tool of gongbu) expect(Object.keys(tool)).toEqual(['name', 'description', 'inputSchema'])
  expectGolden('catalog/gongbu.json', toGoldenText(gongbu))
})
