import { describe, expect, it } from 'vitest'
import { showDifference } from '../../../src/client-configs/files/show-difference.ts'
import { plainAppearance } from '../../../src/terminal/appearance.ts'
import { workbench } from '../workbench.ts'

const marks = Object.fromEntries(
  ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'].map((name) => [name, (text: string) => `<${name}>${text}`]),
) as unknown as typeof plainAppearance.paint
const terminal = { ...plainAppearance, isTerminal: true, width: 100 }
const lists = { auto: ['hubu_health', 'hubu_list_users', 'get_result'], ask: ['hubu_add_policy', 'hubu_create_budget'] }
const text = [
  '--- f',
  '+++ f',
  '@@ -1,1 +1,7 @@',
  '-old',
  '+[tools]',
  ...[...lists.auto, ...lists.ask].map((name) => `+mcp__hubu__${name} = 1`),
  '+end',
  ' same',
].join('\n')

describe('a difference', () => {
  it('is the same text for a script, and with --full on a terminal', () => {
    expect(showDifference(text, plainAppearance, lists)).toBe(text)
    expect(showDifference(text, terminal)).toBe(text)
  })

  it('counts the rules of many tools on a terminal and keeps everything else', () => {
    expect(showDifference(text, terminal, lists).split('\n')).toEqual([
      ...['--- f', '+++ f', '@@ -1,1 +1,7 @@', '-old', '+[tools]'],
      ...['+  … 3 allow, 2 ask (--full shows them)', '+end', ' same'],
    ])
    const few = '+mcp__hubu__hubu_health = 1\n+hubu_healthy = 1'
    expect(showDifference(few, terminal, lists)).toBe(few)
  })

  it('has colours for what comes, what goes and where', () => {
    const painted = showDifference('--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n c', { ...terminal, paint: marks }, lists)
    expect(painted.split('\n')).toEqual([
      '<bold>--- f',
      '<bold>+++ f',
      '<cyan>@@ -1 +1 @@',
      '<red>-a',
      '<green>+b',
      ' c',
    ])
  })
})

describe('what init says of protected tools', () => {
  it('is that they are refused, until the client is trusted to ask a person', async () => {
    using bench = workbench()
    const refused = await bench.init({ client: 'codex', write: true })
    expect(refused.out).toContain('Refused while nobody is trusted to ask a person: these 12: hubu_register_human,')
    expect(refused.out).not.toContain('A person is asked')
    const trusted = await bench.init({ client: 'codex', write: true, trustClientApproval: true })
    expect(trusted.out).toContain('A person is asked before each of these 12: hubu_register_human,')
    expect((await bench.init({ client: 'cline' })).out).toContain('which the router refuses unless')
  })
})
