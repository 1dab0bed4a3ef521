import { describe, expect, it } from 'vitest'
import { plainClients } from '../../../src/client-configs/clients/plain-clients.ts'
import { clients, findClient } from '../../../src/client-configs/clients/client-list.ts'
import { type ApprovalClass, type SetupScope } from '../../../src/client-configs/clients/client.ts'
import { type Environment } from '../../../src/client-configs/environment.ts'

const linux: Environment = { home: '/home/ada', cwd: '/work', env: {}, platform: 'linux', dataFolder: '/d' }
const mac: Environment = { ...linux, home: '/Users/ada', platform: 'darwin' }
const windows: Environment = {
  ...linux,
  home: 'C:\\Users\\ada',
  cwd: 'C:\\work',
  platform: 'win32',
  env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
}

const first = (name: string, environment: Environment, scope: SetupScope = 'user'): string | undefined =>
  findClient(name).files(environment, scope)[0]

describe('the file of a client', () => {
  it.each([
    [
      'codex',
      '/home/ada/.codex/config.toml',
      '/Users/ada/.codex/config.toml',
      'C:\\Users\\ada\\.codex\\config.toml',
      '/work/.codex/config.toml',
    ],
    ['claude', '/home/ada/.claude.json', '/Users/ada/.claude.json', 'C:\\Users\\ada\\.claude.json', '/work/.mcp.json'],
    [
      'claude-desktop',
      '/home/ada/.config/Claude/claude_desktop_config.json',
      '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      undefined,
    ],
    [
      'cursor',
      '/home/ada/.cursor/mcp.json',
      '/Users/ada/.cursor/mcp.json',
      'C:\\Users\\ada\\.cursor\\mcp.json',
      '/work/.cursor/mcp.json',
    ],
    [
      'vscode',
      '/home/ada/.config/Code/User/mcp.json',
      '/Users/ada/Library/Application Support/Code/User/mcp.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      '/work/.vscode/mcp.json',
    ],
    [
      'gemini',
      '/home/ada/.gemini/settings.json',
      '/Users/ada/.gemini/settings.json',
      'C:\\Users\\ada\\.gemini\\settings.json',
      '/work/.gemini/settings.json',
    ],
    [
      'qwen',
      '/home/ada/.qwen/settings.json',
      '/Users/ada/.qwen/settings.json',
      'C:\\Users\\ada\\.qwen\\settings.json',
      '/work/.qwen/settings.json',
    ],
    [
      'opencode',
      '/home/ada/.config/opencode/opencode.json',
      '/Users/ada/.config/opencode/opencode.json',
      'C:\\Users\\ada\\.config\\opencode\\opencode.json',
      '/work/opencode.json',
    ],
    [
      'copilot',
      '/home/ada/.copilot/mcp-config.json',
      '/Users/ada/.copilot/mcp-config.json',
      'C:\\Users\\ada\\.copilot\\mcp-config.json',
      '/work/.mcp.json',
    ],
    [
      'crush',
      '/home/ada/.config/crush/crush.json',
      '/Users/ada/.config/crush/crush.json',
      'C:\\Users\\ada\\.config\\crush\\crush.json',
      '/work/.crush.json',
    ],
    [
      'kilo',
      '/home/ada/.config/kilo/kilo.json',
      '/Users/ada/.config/kilo/kilo.json',
      'C:\\Users\\ada\\.config\\kilo\\kilo.json',
      '/work/kilo.json',
    ],
    [
      'kimi',
      '/home/ada/.kimi-code/mcp.json',
      '/Users/ada/.kimi-code/mcp.json',
      'C:\\Users\\ada\\.kimi-code\\mcp.json',
      '/work/.kimi-code/mcp.json',
    ],
    [
      'hermes',
      '/home/ada/.hermes/config.yaml',
      '/Users/ada/.hermes/config.yaml',
      'C:\\Users\\ada\\.hermes\\config.yaml',
      undefined,
    ],
    [
      'windsurf',
      '/home/ada/.codeium/windsurf/mcp_config.json',
      '/Users/ada/.codeium/windsurf/mcp_config.json',
      'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
      undefined,
    ],
    [
      'zed',
      '/home/ada/.config/zed/settings.json',
      '/Users/ada/.config/zed/settings.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
      '/work/.zed/settings.json',
    ],
  ])('%s is where its documentation says, on every system', (name, onLinux, onMac, onWindows, inProject) => {
    expect([first(name, linux), first(name, mac), first(name, windows), first(name, linux, 'project')]).toEqual([
      onLinux,
      onMac,
      onWindows,
      inProject,
    ])
  })

  it.each([
    ['codex', 'CODEX_HOME', '/c/config.toml'],
    ['copilot', 'COPILOT_HOME', '/c/mcp-config.json'],
    ['kimi', 'KIMI_CODE_HOME', '/c/mcp.json'],
    ['claude', 'CLAUDE_CONFIG_DIR', '/c/.claude.json'],
    ['gemini', 'GEMINI_CLI_HOME', '/c/.gemini/settings.json'],
    ['qwen', 'QWEN_HOME', '/c/settings.json'],
    ['hermes', 'HERMES_HOME', '/c/config.yaml'],
    ['opencode', 'XDG_CONFIG_HOME', '/c/opencode/opencode.json'],
    ['zed', 'XDG_CONFIG_HOME', '/c/zed/settings.json'],
  ])('%s follows $%s', (name, variable, file) => {
    expect(first(name, { ...linux, env: { [variable]: '/c' } })).toBe(file)
  })
})

describe('a client', () => {
  it('has the class that decides about trust', () => {
    const names = (kind: ApprovalClass): string[] =>
      clients.flatMap((client) => (client.approval.class === kind ? [client.name] : [])).toSorted()
    expect(names('pinned')).toEqual(['claude', 'codex', 'gemini', 'kilo', 'opencode', 'zed'])
    expect(names('native')).toEqual(['claude-desktop', 'copilot', 'crush', 'cursor', 'kimi', 'vscode'])
    const plain = plainClients.map(({ name }) => name)
    expect(names('cannot')).toEqual(['hermes', 'qwen', 'windsurf', ...plain].toSorted())
  })

  it('is found by its other names too', () => {
    expect([findClient('claudecode').name, findClient('desktop').name]).toEqual(['claude', 'claude-desktop'])
  })
})

describe.each(clients.map((client) => [client.name, client] as const))('the entry shape of %s', (_, client) => {
  it('reads what it writes', () => {
    const local = { command: 'node', args: ['-v'], env: { K: 'v' } }
    expect(client.shape.read(client.shape.write(local))).toEqual(local)
    expect(client.shape.read(client.shape.write({ command: 'node' }))).toEqual({ command: 'node' })
    const remote = client.shape.read(client.shape.write({ url: 'http://h/mcp' }))
    expect(remote?.url).toBe('http://h/mcp')
  })

  it('uses only keys that it models, and reads no server from something else', () => {
    const keys = [
      ...Object.keys(client.shape.write({ command: 'a', args: ['b'], env: { c: 'd' } })),
      ...Object.keys(client.shape.write({ url: 'http://h' })),
    ]
    expect(keys.filter((key) => !client.shape.modelled.includes(key))).toEqual([])
    for (const odd of [5, null, 'x', [], {}, { args: [] }]) expect(client.shape.read(odd)).toBeUndefined()
  })
})
