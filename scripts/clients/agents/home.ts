import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'

/** A home of its own for one client, and a folder in which it works. */
export interface Home extends Disposable {
  readonly path: string
  file(name: string): string
  read(name: string): string
  write(name: string, content: string): void
  /** Runs a program there, with nothing of our own environment but the path. Ends it after `mostMs`. */
  run(
    command: string,
    args: readonly string[],
    more?: { env?: Record<string, string>; mostMs?: number },
  ): Promise<Ended>
}

/** How a program ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Makes a home; it is gone with `using`. */
export function makeHome(): Home {
  const home = mkdtempSync(path.join(tmpdir(), 'hubu-client-'))
  const file = (name: string) => path.join(home, name)
  mkdirSync(file('project'))
  return {
    path: home,
    file,
    read: (name) => readFileSync(file(name), 'utf8'),
    write: (name, content) => {
      mkdirSync(path.dirname(file(name)), { recursive: true })
      writeFileSync(file(name), content)
    },
    async run(command, args, { env = {}, mostMs = 60_000 } = {}) {
      const child = spawn(command, args, {
        cwd: file('project'),
        env: { ...quietEnvironment(home), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own, so that what it started ends with it.
        detached: true,
      })
      const ended = new Promise<number | null>((resolve) => {
        child.on('error', () => resolve(null))
        child.on('exit', resolve)
      })
      const timer = setTimeout(() => endGroup(child.pid), mostMs)
      const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
      clearTimeout(timer)
      return { code, stdout, stderr }
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/** No network but loopback: what a client asks of the world ends at a closed port. */
const quietEnvironment = (home: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  USERPROFILE: home,
  TERM: 'dumb',
  NO_COLOR: '1',
  CI: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
})
