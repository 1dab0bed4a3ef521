#!/usr/bin/env node
// The bin: runs a command, prints what stopped it, sets the exit code. Nothing else exits.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { keptCaches } from './bundles/kept-caches.ts'
import { bundleLoader, type CodeCaches } from './bundles/loader.ts'
import type { serveHttpCommand } from './cli/commands/serve-http.ts'
import type { serveCommand } from './cli/commands/serve.ts'
import { readServeFlags, wantsHttp, withServeCommand } from './cli/serve-flags.ts'
import { versionLine } from './cli/version.ts'
import { dataFolder, homeFolder } from './config/paths.ts'
import { isLibraryFault, libraryAdvice } from './storage/library-fault.ts'

void main(process.argv.slice(2))
  .catch((error: unknown) => {
    process.stderr.write(`hubu-unified-mcp: ${whatStopped(error)}\n`)
    return 1
  })
  .then((code) => (process.exitCode = code))

async function main(args: string[]): Promise<number> {
  const [first] = args
  if (first === 'version' || first === '--version' || first === '-V') {
    process.stdout.write(`${versionLine()}\n`)
    return 0
  }
  const flags = readServeFlags(args)
  if (flags !== undefined) {
    const load = bundleLoader(fileURLToPath(new URL('.', import.meta.url)), ownCaches())
    if (wantsHttp(flags, process.env))
      return load<{ serveHttpCommand: typeof serveHttpCommand }>('http.cjs').serveHttpCommand(process, flags)
    return load<{ serveCommand: typeof serveCommand }>('serve.cjs').serveCommand(process, flags)
  }
  const { runProgram } = await import('./cli/program.ts')
  return runProgram(withServeCommand(args), process)
}

/** Code caches for a Node.js that is not the builder's lie in the user's data folder. */
function ownCaches(): CodeCaches {
  const folder = () => {
    const data = dataFolder({ env: process.env, home: homeFolder(), platform: process.platform })
    return path.isAbsolute(data) ? path.join(data, 'code-cache') : undefined
  }
  return keptCaches(folder, {
    later: (ms, work) => void setTimeout(work, ms).unref(),
    atGoodEnd: (work) => void process.once('exit', (code) => (code === 0 ? work() : undefined)),
  })
}

/** A library that does not fit this Node is told: as a fault of a file it would be looked for in vain. */
function whatStopped(error: unknown): string {
  if (error instanceof Error && error.name === 'ConfigError') return error.message
  return isLibraryFault(error) ? libraryAdvice : 'an unexpected fault stopped the program'
}
