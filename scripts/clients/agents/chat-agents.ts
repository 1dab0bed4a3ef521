// Clients that speak to any model behind the API of chat completions.
import path from 'node:path'
import type { Agent } from './agent.ts'
import { scriptedProvider } from './scripted-provider.ts'

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const kilo: Agent = {
  name: 'kilo',
  package: '@kilocode/cli@7.7.7',
  start: (modules) => ({
    command: path.join(modules, `@kilocode/cli-${platform}`, 'bin', process.platform === 'win32' ? 'kilo.exe' : 'kilo'),
    args: [],
  }),
  files: (url) => ({
    '.config/kilo/kilo.json': json({
      ...scriptedProvider(url),
    }),
  }),
  env: () => ({}),
  run: ['run', '-m', 'scripted/scripted', 'buy two pictures'],
  servers: { args: ['mcp', 'list'], shows: /hubu.*connected/s },
  identity: 'guarded',
  protectedBy: 'client',
}

const kimi: Agent = {
  name: 'kimi',
  package: '@moonshot-ai/kimi-code@2.1.0',
  start: (modules, node) => ({
    command: node,
    args: [path.join(modules, '@moonshot-ai/kimi-code/dist/main.mjs')],
  }),
  files: (url) => ({
    '.kimi-code/config.toml': [
      'default_model = "scripted"',
      '',
      '[providers.scripted]',
      'type = "openai"',
      `base_url = "${url}/v1"`,
      'api_key = "none"',
      '',
      '[models.scripted]',
      'provider = "scripted"',
      'model = "scripted"',
      'max_context_size = 131072',
      '',
    ].join('\n'),
  }),
  env: () => ({}),
  run: ['-p', 'buy two pictures'],
  identity: 'guarded',
  protectedBy: 'router',
}

const copilot: Agent = {
  name: 'copilot',
  package: '@github/copilot@1.0.102',
  start: (modules, node) => ({ command: node, args: [path.join(modules, '@github/copilot/npm-loader.js')] }),
  files: () => ({ '.copilot/config.json': json({ banner: 'never' }) }),
  env: (url) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'scripted',
    COPILOT_OFFLINE: 'true',
  }),
  // Without a person it runs what a flag allows, and its flags allow a server whole.
  run: ['--no-auto-update', '--allow-tool', 'hubu', '-p', 'buy two pictures'],
  servers: { args: ['mcp', 'list'], shows: /hubu/ },
  identity: 'guarded',
  protectedBy: 'router',
}

const hermes: Agent = {
  name: 'hermes',
  // Without the second it runs, and knows no servers.
  package: 'hermes-agent==0.19.0 mcp==1.26.0',
  isPython: true,
  start: (environment) => ({ command: path.join(environment, 'bin', 'hermes'), args: [] }),
  files: (url) => ({
    '.hermes/config.yaml': [
      'model:',
      '  default: scripted',
      '  provider: custom',
      `  base_url: ${url}/v1`,
      '  api_key: none',
      '',
    ].join('\n'),
  }),
  env: () => ({}),
  run: ['--yolo', '-z', 'buy two pictures'],
  servers: { args: ['mcp', 'list'], shows: /hubu/ },
  identity: 'guarded',
  protectedBy: 'router',
}

/** Those that are driven so. */
export const chatAgents: readonly Agent[] = [kilo, kimi, copilot, hermes]
