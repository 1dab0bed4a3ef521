// `serve --http`: the bundle that only it loads.
import path from 'node:path'
import { buildStamp } from '../../config/build-stamp.ts'
import { ConfigError } from '../../config/config-error.ts'
import { configure } from '../../config/configure.ts'
import { environmentVariables as names, readVariable } from '../../config/environment.ts'
import { readAuthSettings, readHttpSettings, requireAuth } from '../../config/http-settings.ts'
import { dataFolder, homeFolder } from '../../config/paths.ts'
import { serveHttp } from '../../http/serve-http.ts'
import { kindOfFault } from '../../redaction/log.ts'
import type { ServeFlags } from '../serve-flags.ts'
import { logFor } from './serve.ts'

/** Serves the router over HTTP; the exit code. Rejects with ConfigError. */
export async function serveHttpCommand(process: NodeJS.Process, flags: ServeFlags): Promise<number> {
  const place = { env: process.env, home: homeFolder(), platform: process.platform }
  const read = (name: string) => readVariable(process.env, name)
  const config = await configure(place, flags)
  const settings = readHttpSettings(read, flags, place, config.gateway)
  const auth = readAuthSettings(place, settings.publicUrl, config.gateway)
  requireAuth(settings, auth)
  const startTokenFile = flags.tokenFile ?? read(names.httpTokenFile) ?? path.join(dataFolder(place), 'http-token')
  const log = logFor(config, process)
  try {
    const { cut } = await serveHttp({
      config,
      settings,
      auth,
      startTokenFile: path.resolve(startTokenFile),
      newToken: flags.newToken === true,
      stamp: buildStamp,
      signals: process,
      exitNow: () => process.exit(1),
      tellListening: (told) => void process.stderr.write(`${JSON.stringify(told)}\n`),
      report: (fault) => log.error(`The router failed on a request (${kindOfFault(fault)}).`),
      log,
    })
    // What was cut may still wait for a backend, and would keep the process alive.
    if (cut > 0) process.exit(0)
    return 0
  } catch (error) {
    throw namedForPeople(error, settings.listen)
  }
}

function namedForPeople(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== 'listen') return error
  const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`
  return new ConfigError(`the address ${host}:${port} ${why}; give another one with --http HOST:PORT`)
}
