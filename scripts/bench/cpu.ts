import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process until now, in milliseconds; to the microsecond on Linux, in whole seconds elsewhere. */
export function cpuMs(pid: number): number {
  if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'cputimes=', '-p', String(pid)])) * 1000
  const ran = (thread: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It ended between the two looks.
      return 0
    }
  }
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ran(thread), 0) / 1e6
}
