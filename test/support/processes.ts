import { existsSync, readFileSync } from 'node:fs'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Whether a process runs; one that is dead and not yet buried does not. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until a process does not run any more: being killed takes a moment. */
export async function gone(id: number): Promise<void> {
  while (isRunning(id)) await turn()
}

/** The process numbers in a file, once as many are there. */
export async function processesIn(file: string, count: number): Promise<number[]> {
  for (;;) {
    const found = existsSync(file) ? (readFileSync(file, 'utf8').match(/\d+(?=\n)/g) ?? []) : []
    if (found.length >= count) return found.map(Number)
    await turn()
  }
}
