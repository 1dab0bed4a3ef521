import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import type { LogStream } from '../redaction/log.ts'

/**
 * Where log lines go. Node writes to a stderr that is a pipe synchronously, so a parent that never reads would stop us; a
 * socket of our own on the same descriptor does not wait, and does not keep the process alive.
 */
export function openStderr(stderr: NodeJS.WriteStream): LogStream {
  const kind = fstatSync(2)
  if (!kind.isFIFO() && !kind.isSocket()) return stderr
  return new Socket({ fd: 2, readable: false, writable: true }).unref()
}
