import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The memory of a process that lies in RAM, in MiB. */
export function residentMiB(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
