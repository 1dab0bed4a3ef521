import { describe, expect, it } from 'vitest'
import { json } from '../../../src/documents/json.ts'
import { leftBehind, lossIn } from '../../../src/client-configs/sync/import-members.ts'
import { standardShape } from '../../../src/client-configs/clients/shapes.ts'

const entry = (value: object) => json.parse(JSON.stringify(value)).root

describe('an entry that is taken over', () => {
  it.each([
    [{ bearer_token_env_var: 'X' }, 'would lose its credentials'],
    [{ http_headers: { A: 'b' } }, 'would lose its credentials'],
    [{ envFile: '.env' }, 'would lose its credentials'],
    [{ disabled_tools: ['drop'] }, 'tools that are off would be on'],
    [{ includeTools: ['a'] }, 'tools that are off would be on'],
    [{ enabled_tools: [] }, 'tools that are off would be on'],
    [{ cwd: './here' }, 'relative to a folder'],
    [{ type: 'ws' }, 'not one that we speak'],
  ])('is passed over with %o, because something would be lost', (more, reason) => {
    expect(lossIn(entry({ command: 'x', ...more }))).toContain(reason)
  })

  it.each([{ tools: ['*'] }, { disabledTools: [] }, { cwd: '/abs' }, { timeout: 5 }])('stays whole with %o', (more) => {
    expect(lossIn(entry({ command: 'x', ...more }))).toBeUndefined()
  })

  it('names what stays behind', () => {
    expect(leftBehind(entry({ command: 'x', args: [], timeout: 5, enabled: true }), ['command', 'args'])).toEqual([
      'timeout',
    ])
  })

  it('keeps its transport under either name', () => {
    const { read } = standardShape({ remote: 'url' })
    expect(read({ url: 'http://h', transport: 'sse' })?.transport).toBe('sse')
  })
})
