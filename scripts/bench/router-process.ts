import { spawn } from 'node:child_process'

/** A router as a child process, spoken to in lines. */
export interface RouterProcess {
  /** Sends a request and resolves with its reply. */
  request(method: string, params?: unknown): Promise<unknown>
  /** Sends a notification. */
  notify(method: string): void
  /** Milliseconds from spawning to the reply to the first request. */
  startedMs: number
  pid: number
  end(): Promise<void>
}

/** Starts the bin, completes `initialize`, and tells how long that took. */
export function startRouter(bin: string, env: Record<string, string>, args: string[] = []): Promise<RouterProcess> {
  return startPeer(process.execPath, [bin, ...args], env)
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
}

/** The same with any program that speaks MCP on stdio, and with another first request. */
export async function startPeer(
  command: string,
  args: string[],
  env: Record<string, string>,
  first: { method: string; params: object } = initialize,
): Promise<RouterProcess> {
  const begun = performance.now()
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting = new Map<number, (reply: unknown) => void>()
  let rest = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const reply = JSON.parse(line) as { id: number }
      waiting.get(reply.id)?.(reply)
      waiting.delete(reply.id)
    }
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  let id = 0
  const request = (method: string, params?: unknown) =>
    new Promise<unknown>((resolve) => {
      waiting.set(++id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  await request(first.method, first.params)
  return {
    request,
    notify: (method) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`),
    startedMs: performance.now() - begun,
    pid: child.pid ?? 0,
    end: () => {
      child.stdin.end()
      return ended
    },
  }
}

/** The environment of a router on these backends. */
export function routerEnvironment(hubuUrl: string, gongbuUrl: string, statePath: string): Record<string, string> {
  return {
    HUBU_UNIFIED_HUBU_ENDPOINT: hubuUrl,
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'bench-hubu',
    HUBU_UNIFIED_GONGBU_ENDPOINT: gongbuUrl,
    HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'bench-gongbu',
    HUBU_UNIFIED_OPERATION_STATE_PATH: statePath,
    HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '60000',
    HUBU_UNIFIED_RESPONSE_BUDGET: '0',
  }
}
