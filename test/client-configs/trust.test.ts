import { describe, expect, it } from 'vitest'
import { approvalLists } from '../../src/client-configs/entry/approval-lists.ts'
import { findLostTrust } from '../../src/client-configs/init/lost-trust.ts'
import { contractSurface, workbench } from './workbench.ts'

interface Silent {
  client: string
  file: string
  /** The setting stands in its second line. */
  text: string
  says: string
  env?: Record<string, string>
}

const settings = (mode: string): string => `{"permissions":\n  {"defaultMode": "${mode}"}}\n`
const rule = (more: string): string => `# mine\n[[rule]]\n${more}\n`

/** Settings with which a client asks nobody, and what is said about each. */
const silent: Silent[] = [
  { client: 'codex', file: '.codex/config.toml', text: '\napproval_policy = "never"\n', says: 'approval_policy' },
  {
    client: 'codex',
    file: '.codex/config.toml',
    text: '\nsandbox_mode = "danger-full-access"\n',
    says: 'sandbox_mode',
  },
  {
    client: 'codex',
    file: '.codex/config.toml',
    text: '\napprovals_reviewer = "auto_review"\n',
    says: 'approvals_reviewer',
  },
  {
    client: 'codex',
    file: '.codex/config.toml',
    text: 'profile = "x"\nprofiles.x.approval_policy = "never"\n',
    says: 'approval_policy',
  },
  {
    client: 'codex',
    file: '../project/.codex/config.toml',
    text: '\napproval_policy = "never"\n',
    says: 'approval_policy',
  },
  { client: 'claude', file: '.claude/settings.json', text: settings('auto'), says: 'sets defaultMode to auto' },
  {
    client: 'claude',
    file: 'moved/settings.json',
    text: settings('bypassPermissions'),
    says: 'sets defaultMode to bypassPermissions',
    env: { CLAUDE_CONFIG_DIR: 'moved' },
  },
  {
    client: 'gemini',
    file: '.gemini/policies/mine.toml',
    text: rule('toolName = "*"\ndecision = "allow"\npriority = 500'),
    says: 'allows hubu_register_human with priority 500',
  },
  {
    client: 'gemini',
    file: 'moved/.gemini/policies/auto-saved.toml',
    text: rule('mcpName = "hubu"\ntoolName = ["hubu_create_budget"]\ndecision = "allow"\npriority = 950'),
    says: 'allows hubu_create_budget with priority 950',
    env: { GEMINI_CLI_HOME: 'moved' },
  },
  {
    client: 'gemini',
    file: '.gemini/policies/mine.toml',
    text: rule('mcpName = "hubu"\ndecision = "allow"\npriority = 390'),
    says: 'with priority 390',
  },
  {
    client: 'gemini',
    file: '.gemini/settings.json',
    text: '{\n  "policyPaths": ["/elsewhere"]}\n',
    says: 'sets policyPaths',
  },
  {
    client: 'kimi',
    file: '.kimi-code/config.toml',
    text: '\ndefault_permission_mode = "auto"\n',
    says: 'default_permission_mode',
  },
  { client: 'kimi', file: '.kimi-code/config.toml', text: '\ndefault_yolo = true\n', says: 'default_yolo' },
  {
    client: 'zed',
    file: '.config/zed/settings.json',
    text: '{"agent":\n {"always_allow_tool_actions": true}}\n',
    says: 'always_allow_tool_actions',
  },
]

const trust = { write: true, trustClientApproval: true, iKnowTheClientAsks: true }

function bench({ env = {} }: Pick<Silent, 'env'>) {
  const made = workbench()
  const moved = Object.entries(env).map(([name, folder]) => [name, `${made.home}/${folder}`])
  Object.assign(made.environment, { env: Object.fromEntries(moved) as Record<string, string> })
  return made
}

describe('a client that may not ask a person', () => {
  it.each(silent)('$client: $says in $file refuses trust, with file, line and way out', async (given) => {
    using made = bench(given)
    made.put(given.file, given.text)
    const { code, err } = await made.init({ client: given.client, ...trust })
    expect([code, made.read(given.file)]).toEqual([1, given.text])
    expect(err).toContain(`${given.file.replace('../project', made.cwd)} line 2 `)
    expect(err).toContain(given.says)
    expect(err).toMatch(/, or run init without --trust-client-approval\.\n$/)
  })

  it.each(silent)('$client: $says in $file, coming after init, is found', async (given) => {
    using made = bench(given)
    const lists = approvalLists(contractSurface)
    expect((await made.init({ client: given.client, ...trust })).code).toBe(0)
    expect(findLostTrust(made.environment, lists)).toEqual([])
    const before = made.exists(given.file) ? made.read(given.file) : undefined
    made.put(given.file, before === undefined ? given.text : withSetting(before, given.text))
    const [lost] = findLostTrust(made.environment, lists)
    expect([lost?.client, lost?.obstacles.some(({ what }) => what.includes(given.says))]).toEqual([given.client, true])
  })

  it.each(silent)('$client: $says in $file does not hinder init without trust', async (given) => {
    using made = bench(given)
    made.put(given.file, given.text)
    expect((await made.init({ client: given.client, write: true })).code).toBe(0)
    expect(findLostTrust(made.environment, approvalLists(contractSurface))).toEqual([])
  })

  it('is found while a plan is being written, too', async () => {
    using made = workbench()
    const onStep = (step: string, file: string): void => {
      if (step === 'replaced' && file.endsWith('settings.json'))
        made.put('../project/.claude/settings.json', settings('auto'))
    }
    const { code, err } = await made.init({ client: 'claude', ...trust }, { onStep })
    expect([code, made.exists('.claude.json'), made.exists('.claude/settings.json')]).toEqual([1, false, false])
    expect(err).toContain('sets defaultMode to auto')
  })

  it.each([
    ['gemini', '.gemini/policies/mine.toml', rule('toolName = "*"\ndecision = "allow"\npriority = 389')],
    [
      'gemini',
      '.gemini/policies/mine.toml',
      rule('toolName = "run_shell_command"\ndecision = "allow"\npriority = 900'),
    ],
    ['gemini', '.gemini/policies/mine.toml', rule('toolName = "*"\ndecision = "deny"\npriority = 900')],
    ['claude', '.claude/settings.json', settings('acceptEdits')],
    ['codex', '.codex/config.toml', 'approval_policy = "on-request"\n[profiles.x]\napproval_policy = "never"\n'],
  ])('%s with %s that changes nothing for our tools is trusted', async (client, file, text) => {
    using made = workbench()
    made.put(file, text)
    expect((await made.init({ client, ...trust })).code).toBe(0)
  })
})

/** A person's later change: the setting in front of what init wrote, in the same format. */
function withSetting(before: string, text: string): string {
  if (!text.startsWith('{')) return text + before
  const all = { ...(JSON.parse(before) as object), ...(JSON.parse(text) as object) }
  return JSON.stringify(all)
}
