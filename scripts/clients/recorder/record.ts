// A program that stands between a client and a stdio server, and keeps each line that passes: `record.js FILE SERVER ARGS...`. The
// server is a script for the same Node.js. What ends one side ends the other in the same way.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

const [file = '', ...server] = process.argv.slice(2)
const keep = (from: string, line: string) =>
  appendFileSync(file, `${JSON.stringify({ at_ms: Date.now(), pid: process.pid, from, line })}\n`)

const child = spawn(process.execPath, server, { stdio: ['pipe', 'pipe', 'inherit'] })
keep('recorder', 'started')
pass('client', process.stdin, child.stdin)
pass('server', child.stdout, process.stdout)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    keep('recorder', signal)
    child.kill(signal)
  })
}
child.on('exit', (code, signal) => {
  keep('recorder', `server ended: ${signal ?? code}`)
  process.exitCode = code ?? 1
  process.stdin.destroy()
})

/** Lines are passed as soon as they are whole. A reader that is gone is no matter: the other side hears of the end. */
function pass(from: string, source: Readable, target: Writable): void {
  target.on('error', () => {})
  const lines = createInterface({ input: source })
  lines.on('line', (line) => {
    keep(from, line)
    target.write(`${line}\n`)
  })
  lines.on('close', () => {
    keep('recorder', `${from} closed`)
    if (target !== process.stdout) target.end()
  })
}
