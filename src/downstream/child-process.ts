import type { Clock } from '../timing/clock.ts'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import spawn from 'cross-spawn'

/** How a mounted server's process is started. */
export interface ChildCommand {
  command: string
  args: readonly string[]
  cwd?: string
  env: Readonly<Record<string, string>>
}

/** A running child in a process group of its own. */
export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  /** Resolves when the process is gone and everything that it wrote has been read. */
  readonly ended: Promise<void>
  /** The last part of its stderr. */
  stderrTail(): string
  /** Ends the whole group: closes stdin, then asks, then forces. Resolves when it is gone. */
  stop(): Promise<void>
}

/** The last bytes of stderr that are kept. */
const stderrTailBytes = 8192

/** Waits between the steps of stopping, in milliseconds. */
export interface StopPatience {
  afterEndMs: number
  afterTermMs: number
}

/**
 * Starts a child as the leader of its own process group, so that its grandchildren end with it. Rejects when it cannot be
 * started.
 */
export function startChild(command: ChildCommand, clock: Pick<Clock, 'after'>, patience: StopPatience): Promise<Child> {
  // On Windows `npx` is a script, which only a shell runs; cross-spawn finds it and quotes what it is given.
  const child = spawn(command.command, [...command.args], {
    cwd: command.cwd,
    env: command.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  }) as ChildProcessWithoutNullStreams
  let tail = Buffer.alloc(0)
  child.stderr.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-stderrTailBytes)
  })
  // A child that is gone is noticed by its end, not by our writing.
  child.stdin.on('error', () => {})
  living.add(child)
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      living.delete(child)
      resolve()
    }
    child.once('close', end)
    child.once('error', end)
  })
  let stopping: Promise<void> | undefined
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve)
      void ended.then(() => {
        cancel()
        resolve()
      })
    })
  const end = async () => {
    child.stdin.end()
    if (!hasExited(child)) await wait(patience.afterEndMs)
    signalGroup(child, 'SIGTERM')
    await wait(patience.afterTermMs)
    // Also when the leader has gone: its grandchildren may not have.
    signalGroup(child, 'SIGKILL')
    // One that has left the group may still hold our end of a pipe open; nobody waits for it.
    child.stdout.destroy()
    child.stderr.destroy()
    await ended
  }
  const stop = () => (stopping ??= end())
  // Grandchildren hold the pipes open: without this the end of their parent would not be noticed.
  child.once('exit', () => void stop())
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => resolve({ process: child, ended, stderrTail: () => tail.toString('utf8'), stop }))
  })
}

/** What still runs when this process has to exit at once goes with it. */
const living = new Set<ChildProcessWithoutNullStreams>()
process.on('exit', () => {
  for (const child of living) signalGroup(child, 'SIGKILL')
})

const hasExited = ({ exitCode, signalCode }: ChildProcessWithoutNullStreams) => exitCode !== null || signalCode !== null

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The group is gone.
  }
}
