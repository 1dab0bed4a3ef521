import path from 'node:path'
import type { Agent } from './agent.ts'
import { scriptedProvider } from './scripted-provider.ts'
import { chatAgents } from './chat-agents.ts'

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const codex: Agent = {
  name: 'codex',
  package: '@openai/codex@0.171.0',
  start: (modules, node) => ({ command: node, args: [path.join(modules, '@openai/codex/bin/codex.js')] }),
  files: (url) => ({
    '.codex/config.toml': [
      'model = "scripted"',
      'model_provider = "scripted"',
      '',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "SCRIPTED_KEY"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
      '',
    ].join('\n'),
  }),
  env: () => ({ SCRIPTED_KEY: 'none' }),
  run: ['exec', '--skip-git-repo-check', 'buy two pictures'],
  servers: { args: ['mcp', 'list'], shows: /^hubu .*enabled/m },
  identity: 'own',
  protectedBy: 'client',
}

const claude: Agent = {
  name: 'claude',
  package: '@anthropic-ai/claude-code@2.1.332',
  start: (modules, node) => ({
    command: node,
    args: [path.join(modules, '@anthropic-ai/claude-code/cli-wrapper.cjs')],
  }),
  files: () => ({ '.claude/settings.json': json({ includeCoAuthoredBy: false }) }),
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  run: ['-p', 'buy two pictures'],
  servers: { args: ['mcp', 'list'], shows: /^hubu: .*Connected/m },
  identity: 'own',
  protectedBy: 'client',
}

const opencode: Agent = {
  name: 'opencode',
  package: 'opencode-ai@1.18.33',
  start: (modules) => ({
    command: path.join(
      modules,
      `opencode-${platform}`,
      'bin',
      process.platform === 'win32' ? 'opencode.exe' : 'opencode',
    ),
    args: [],
  }),
  files: (url) => ({
    '.config/opencode/opencode.json': json({
      $schema: 'https://opencode.ai/config.json',
      ...scriptedProvider(url),
    }),
  }),
  env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
  run: ['run', '-m', 'scripted/scripted', 'buy two pictures'],
  servers: { args: ['mcp', 'list'], shows: /hubu.*connected/s },
  identity: 'guarded',
  protectedBy: 'client',
}

const qwen: Agent = {
  name: 'qwen',
  package: '@qwen-code/qwen-code@0.24.4',
  start: (modules, node) => ({ command: node, args: [path.join(modules, '@qwen-code/qwen-code/cli-entry.js')] }),
  files: () => ({
    '.qwen/settings.json': json({
      security: { auth: { selectedType: 'openai' } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  }),
  env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'scripted' }),
  // It asks a person before any tool of a server, or nobody; without a person only the latter works.
  run: ['--yolo', '-p', 'buy two pictures'],
  servers: { args: ['mcp', 'list'], shows: /hubu.*Connected/ },
  identity: 'guarded',
  protectedBy: 'router',
  waits: true,
}

const gemini: Agent = {
  name: 'gemini',
  package: '@google/gemini-cli@0.61.0',
  start: (modules, node) => ({ command: node, args: [path.join(modules, '@google/gemini-cli/bundle/gemini.js')] }),
  files: () => ({
    '.gemini/settings.json': json({
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  }),
  env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none', GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  run: ['-m', 'gemini-2.5-flash', '-p', 'buy two pictures'],
  servers: { args: ['mcp', 'list'], shows: /hubu.*Connected/ },
  identity: 'guarded',
  protectedBy: 'client',
}

/** The real clients that are driven, in this order. */
export const agents: readonly Agent[] = [codex, claude, opencode, qwen, gemini, ...chatAgents]
