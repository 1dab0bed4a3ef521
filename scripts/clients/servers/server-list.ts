/** A server from npm, how it is started, and a call that changes nothing and needs no network. */
export interface NpmServer {
  /** As it is mounted. */
  name: string
  /** With its exact version. */
  package: string
  /** Its program, below the package. */
  program: string
  /** `folder` is one that it may use: an empty git repository with a file. */
  args?: (folder: string) => string[]
  env?: (folder: string) => Record<string, string>
  call?: { tool: string; args: (folder: string) => Record<string, unknown> }
}

const official = (name: string, pkg: string, more: Partial<NpmServer> = {}): NpmServer => ({
  name,
  package: `@modelcontextprotocol/${pkg}@2026.8.31`,
  program: 'dist/index.js',
  ...more,
})

/** Servers that other people wrote. None of them needs a key to list its tools. */
export const npmServers: readonly NpmServer[] = [
  official('everything', 'server-everything', {
    call: { tool: 'echo', args: () => ({ message: 'größe 𝄞' }) },
  }),
  official('files', 'server-filesystem', {
    args: (folder) => [folder],
    call: { tool: 'read_text_file', args: (folder) => ({ path: `${folder}/note.txt` }) },
  }),
  official('memory', 'server-memory', {
    env: (folder) => ({ MEMORY_FILE_PATH: `${folder}/memory.jsonl` }),
    call: { tool: 'read_graph', args: () => ({}) },
  }),
  official('thinking', 'server-sequential-thinking', {
    env: () => ({ DISABLE_THOUGHT_LOGGING: 'true' }),
    call: {
      tool: 'sequentialthinking',
      args: () => ({ thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
    },
  }),
  { name: 'playwright', package: '@playwright/mcp@0.0.83', program: 'cli.js', args: () => ['--headless'] },
  {
    name: 'devtools',
    package: 'chrome-devtools-mcp@1.11.0',
    program: 'build/src/bin/chrome-devtools-mcp.js',
    args: () => ['--headless', '--no-usage-statistics'],
  },
  { name: 'context7', package: '@upstash/context7-mcp@4.1.1', program: 'dist/index.js' },
  { name: 'notion', package: '@notionhq/notion-mcp-server@2.5.2', program: 'bin/cli.mjs' },
  {
    name: 'git',
    package: '@cyanheads/git-mcp-server@2.15.3',
    program: 'dist/index.js',
    env: (folder) => ({ GIT_BASE_DIR: folder, LOGS_DIR: `${folder}/logs` }),
    call: { tool: 'git_status', args: (folder) => ({ path: folder }) },
  },
  { name: 'kubernetes', package: 'mcp-server-kubernetes@4.1.7', program: 'dist/index.js' },
  { name: 'chart', package: '@antv/mcp-server-chart@0.9.10', program: 'build/index.js' },
]
