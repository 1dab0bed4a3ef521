#!/usr/bin/env node
// The bin: runs a command, prints what stopped it, sets the exit code. Nothing else exits.
import type { serveHttpCommand } from './cli/commands/serve-http.ts'
import type { serveCommand } from './cli/commands/serve.ts'
import { readServeFlags, wantsHttp, withServeCommand } from './cli/serve-flags.ts'
import { versionLine } from './cli/version.ts'
import { loadBundle } from './load-bundle.ts'
import { isLibraryFault, libraryAdvice } from './storage/library-fault.ts'

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`hubu-unified-mcp: ${whatStopped(error)}\n`)
  return 1
})

async function main(args: string[]): Promise<number> {
  const [first] = args
  if (first === 'version' || first === '--version' || first === '-V') {
    process.stdout.write(`${versionLine()}\n`)
    return 0
  }
  const flags = readServeFlags(args)
  if (flags !== undefined && wantsHttp(flags, process.env)) {
    const bundle = loadBundle<{ serveHttpCommand: typeof serveHttpCommand }>('http.cjs', import.meta.url)
    return bundle.serveHttpCommand(process, flags)
  }
  if (flags !== undefined) {
    const bundle = loadBundle<{ serveCommand: typeof serveCommand }>('serve.cjs', import.meta.url)
    return bundle.serveCommand(process, flags)
  }
  const { runProgram } = await import('./cli/program.ts')
  return runProgram(withServeCommand(args), process)
}

/** A library that does not fit this Node is told: as a fault of a file it would be looked for in vain. */
function whatStopped(error: unknown): string {
  if (error instanceof Error && error.name === 'ConfigError') return error.message
  return isLibraryFault(error) ? libraryAdvice : 'an unexpected fault stopped the program'
}
