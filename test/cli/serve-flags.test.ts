import { expect, test } from 'vitest'
import { readServeFlags, withServeCommand } from '../../src/cli/serve-flags.ts'

test.each<[string[], ReturnType<typeof readServeFlags>]>([
  [[], {}],
  [['serve'], {}],
  [['mcp', 'serve'], {}],
  [['--config', 'a.yaml'], { config: 'a.yaml' }],
  [['--agent=tiny', '--config=a.yaml'], { config: 'a.yaml', agent: 'tiny' }],
  [['mcp', 'serve', '--config', 'a=b.yaml', '--agent', 'tiny'], { config: 'a=b.yaml', agent: 'tiny' }],
  [['mcp'], undefined],
  [['serve', 'mcp'], undefined],
  [['serve', 'serve'], undefined],
  [['--config'], undefined],
  [['--config='], undefined],
  [['--config', 'a', '--config', 'b'], undefined],
  [['serve', '--help'], undefined],
  [['sandbox'], undefined],
])('%j serves at once, or is left to the command tree', (args, flags) => {
  expect(readServeFlags(args)).toEqual(flags)
})

test('options of serve without its name are given to serve, which tells what is wrong with them', () => {
  expect(withServeCommand(['--config'])).toEqual(['serve', '--config'])
  expect(withServeCommand(['--agent=a', 'b'])).toEqual(['serve', '--agent=a', 'b'])
  expect(withServeCommand(['stats', '--config', 'x'])).toEqual(['stats', '--config', 'x'])
})
