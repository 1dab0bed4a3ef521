// Certificate and key: read at the start, and again when they change.
import { statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { HttpSettings } from '../config/http-settings.ts'
import { watchFile } from '../config/watch-file.ts'
import { readPlainFile } from '../documents/plain-file.ts'
import type { Log } from '../redaction/log.ts'
import type { Clock } from '../timing/clock.ts'
import type { Listener } from './front/listen.ts'
import { TokenFileRefused } from './bearers/start-token.ts'

type TlsFiles = NonNullable<HttpSettings['tls']>

/** Both as texts. Throws an error with a sentence for the operator. */
export function loadTls({ certFile, keyFile }: TlsFiles): { cert: string; key: string } {
  try {
    if (process.platform !== 'win32' && (statSync(keyFile).mode & 0o077) !== 0)
      throw new TokenFileRefused('the key of http.tls can be read by others; chmod 600 it')
    const pair = { cert: textOf(certFile), key: textOf(keyFile) }
    createSecureContext(pair)
    return pair
  } catch (error) {
    if (error instanceof TokenFileRefused) throw error
    throw new TokenFileRefused('the certificate and the key of http.tls cannot be read, or do not belong together')
  }
}

const textOf = (file: string): string => readPlainFile(file, 1024 * 1024).toString('utf8')

/** New files count for new connections; what cannot be used keeps the former ones. The result ends it. */
export function followTls(
  files: TlsFiles,
  listener: Pick<Listener, 'renewTls'>,
  { log, clock }: { log: Pick<Log, 'event'>; clock: Pick<Clock, 'after'> },
): () => void {
  const started = loadTls(files)
  let present = started.cert + started.key
  const onChange = () => {
    try {
      const pair = loadTls(files)
      if (pair.cert + pair.key === present) return
      present = pair.cert + pair.key
      listener.renewTls(pair)
      log.event('info', 'tls_reloaded')
    } catch {
      log.event('error', 'tls_unusable', { reason: 'the new files cannot be read, or do not belong together' })
    }
  }
  const ends = [files.certFile, files.keyFile].map((path) => watchFile({ path, clock, onChange }))
  return () => ends.forEach((end) => end())
}
