import { expect, test } from 'vitest'
import { attach } from '../../../src/sandbox/attach.ts'
import { readFaults, setFaults } from '../../../src/sandbox/faults/control.ts'
import { faultPresets, rulesOf } from '../../../src/sandbox/faults/presets.ts'
import { openSandbox } from '../../../src/sandbox/open.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const stamp = { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) }

test('a sandbox takes every fault by name, at the start and while it runs, under the token of its private connection', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const sandbox = await openSandbox({ folder: data, stamp, isSeeded: false, faults: ['gongbu-not-ready'] })
  const attached = attach(data)
  if (attached.kind !== 'running') throw new Error('it does not run')
  const { connection } = attached
  try {
    expect((await readFaults(connection)).map(({ backend, rule }) => [backend, rule.name, rule.path])).toEqual([
      ['gongbu', 'gongbu-not-ready', '/readyz'],
      ['gongbu', 'gongbu-not-ready', '/v2/executions'],
    ])
    for (const name of Object.keys(faultPresets)) {
      const inForce = await setFaults(connection, [name])
      expect(inForce.length, name).toBeGreaterThan(0)
      expect(new Set(inForce.map(({ rule }) => rule.name))).toEqual(new Set([name]))
    }
    expect(await setFaults(connection, [])).toEqual([])
    const withoutToken = await fetch(`${connection.gongbu.url}/sandbox/faults`, {
      headers: { authorization: `Bearer ${connection.gongbu.token}` },
    })
    expect(withoutToken.status).toBe(401)
  } finally {
    await sandbox.close()
  }
})

test('a fault that ends by itself stands before one that meets everything', () => {
  const { hubu } = rulesOf(['hubu-slow', 'hubu-lost-reply'])
  expect(hubu.map((rule) => rule.name).slice(0, 3)).toEqual(['hubu-lost-reply', 'hubu-lost-reply', 'hubu-slow'])
})
