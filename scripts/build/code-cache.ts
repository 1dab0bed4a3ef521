import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import type { serveCommand } from '../../src/cli/commands/serve.ts'
import { cacheFileOf, compileBundle } from '../../src/load-bundle.ts'

/**
 * Serves one handshake from the bundle in this process, with nothing configured but a registry, and keeps what V8 compiled
 * for it: a later start of the same Node.js compiles none of that again.
 */
export async function writeCodeCache(bundle: string): Promise<void> {
  const script = compileBundle(bundle, undefined)
  const module = { exports: {} as { serveCommand: typeof serveCommand } }
  const evaluate = script.runInThisContext() as (exports: object, require: NodeJS.Require, module: object) => void
  evaluate(module.exports, createRequire(bundle), module)
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-build-'))
  try {
    const stdin = new PassThrough()
    const stdout = new PassThrough().resume()
    const env = {
      // The builder's own configuration is none of the cache's business.
      XDG_CONFIG_HOME: folder,
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
    const served = module.exports.serveCommand(process as unknown as NodeJS.Process)
    const handshake = ['initialize', 'tools/list'].map((method, id) => JSON.stringify({ jsonrpc: '2.0', id, method }))
    stdin.end(`${handshake.join('\n')}\n`)
    await served
    writeFileSync(cacheFileOf(bundle), script.createCachedData())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
