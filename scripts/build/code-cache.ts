import { EventEmitter } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import type vm from 'node:vm'
import { bundleLoader, shippedCacheOf } from '../../src/bundles/loader.ts'
import type { serveCommand } from '../../src/cli/commands/serve.ts'

/**
 * Serves one handshake from the bundles of a folder in this process, with a registry and a server that is configured and not
 * started, and keeps what V8 compiled for it: a later start of the same Node.js compiles none of that again.
 */
export async function writeCodeCaches(folder: string): Promise<void> {
  const scripts = new Map<string, vm.Script>()
  const load = bundleLoader(folder, {
    read: () => undefined,
    missed: (name, _source, script) => void scripts.set(name, script),
  })
  await serveOnce(load<{ serveCommand: typeof serveCommand }>('serve.cjs').serveCommand)
  for (const name of readdirSync(folder)) if (name.endsWith('.cjs')) load(name)
  for (const [name, script] of scripts)
    writeFileSync(shippedCacheOf(path.join(folder, name)), script.createCachedData())
}

async function serveOnce(serve: typeof serveCommand): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-build-'))
  try {
    const config = path.join(folder, 'config.yaml')
    writeFileSync(config, 'version: 1\nservers:\n  none: { command: none }\n')
    const stdin = new PassThrough()
    const stdout = new PassThrough().resume()
    const env = {
      // The builder's own configuration is none of the cache's business.
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      HUBU_UNIFIED_CONFIG: config,
      HUBU_UNIFIED_OPERATION_STATE_PATH: path.join(folder, 'registry.sqlite3'),
      // Nothing listens there: the clients are made and their first probes fail at once.
      HUBU_UNIFIED_HUBU_ENDPOINT: 'http://127.0.0.1:9',
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'none',
      HUBU_UNIFIED_GONGBU_ENDPOINT: 'http://127.0.0.1:9',
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'none',
    }
    const process = Object.assign(new EventEmitter(), {
      env,
      stdin,
      stdout,
      stderr: new PassThrough().resume(),
      exit: () => {},
    })
    const served = serve(process as unknown as NodeJS.Process)
    const handshake = ['initialize', 'tools/list'].map((method, id) => JSON.stringify({ jsonrpc: '2.0', id, method }))
    stdin.end(`${handshake.join('\n')}\n`)
    await served
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
