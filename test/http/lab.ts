// A built router that serves HTTP, on a folder of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What a router is started with. */
export interface HttpRouterOptions {
  bin: string
  folder: string
  env?: Record<string, string>
  args?: string[]
  /** Written as the config file. */
  config?: object
}

/** A process that serves HTTP. */
export interface HttpRouter {
  url: URL
  /** The start token; empty where tokens are configured. */
  token: string
  process: ChildProcess
  stderr(): string
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts it and waits until it is ready. */
export async function startHttpRouter({
  bin,
  folder,
  env = {},
  args = [],
  config,
}: HttpRouterOptions): Promise<HttpRouter> {
  const file = path.join(folder, 'config.yaml')
  if (config !== undefined) writeFileSync(file, JSON.stringify({ version: 1, ...config }))
  const named = config === undefined ? [] : ['--config', file]
  const child = spawn(process.execPath, [bin, 'serve', '--http', '127.0.0.1:0', ...named, ...args], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, HUBU_UNIFIED_TWIN_GUARD: 'off', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const told = await new Promise<{ url: string; token_file?: string }>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      const line = stderr.split('\n').find((one) => one.includes('"listening"'))
      if (line !== undefined) resolve(JSON.parse(line) as { url: string })
    })
    void exited.then(() => reject(new Error(stderr)))
  })
  const url = new URL(told.url)
  for (;;) {
    const { status } = await fetch(new URL('/readyz', url))
    if (status === 200) break
  }
  return {
    url,
    token: told.token_file === undefined ? '' : readFileSync(told.token_file, 'utf8').trim(),
    process: child,
    stderr: () => stderr,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}

/** The environment that puts a router before these backends, on a registry in this folder. */
export function backendsIn(folder: string, { hubu, gongbu }: { hubu: { url: URL }; gongbu?: { url: URL } }) {
  return {
    HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href,
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-bearer-of-the-test',
    ...(gongbu && {
      HUBU_UNIFIED_GONGBU_ENDPOINT: gongbu.url.href,
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'gongbu-bearer-of-the-test',
    }),
    HUBU_UNIFIED_OPERATION_STATE_PATH: path.join(folder, 'state', 'registry.sqlite3'),
  }
}
