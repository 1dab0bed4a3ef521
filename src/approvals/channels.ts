// The ways out of this process: a command of the person's own and the desktop. Both get ids and amounts, never an agent's text.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../timing/clock.ts'

/** One event as a channel tells it. */
export interface Notice {
  type: string
  /** The same for one event in every process. */
  id: string
  /** Absent for a test. */
  approvalId?: string
  text: string
  body: object
}

/** Tells a notice; false when that did not work. Never rejects. Ends early with the signal. */
export type Channel = (notice: Notice) => Promise<boolean>

/** What children of a watch get and how long they may take. */
export interface ChannelOptions {
  /** Their whole environment; it holds no token. */
  env: Readonly<Record<string, string>>
  clock: Pick<Clock, 'after' | 'sleep'>
  signal: AbortSignal
}

const longestRunMs = 30_000
/** Waits before a command that failed is run again. */
const repeatsMs = [5000, 30_000]

/** What `--exec` means: a program's path, or a JSON list of program and arguments. Undefined when it is neither. */
export function parseCommand(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return text.trim() === '' ? undefined : [text]
  try {
    const list: unknown = JSON.parse(text)
    const isList = Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'string' && one !== '')
    return isList ? (list as string[]) : undefined
  } catch {
    return undefined
  }
}

/** Runs a command for each notice: the body on stdin, the ids in its environment, no shell. A failure is tried twice more. */
export function commandChannel(command: readonly string[], options: ChannelOptions): Channel {
  return async ({ type, id, approvalId, body }) => {
    const own = { HUBU_NOTICE_TYPE: type, HUBU_NOTICE_ID: id, HUBU_APPROVAL_ID: approvalId ?? '' }
    for (const waitMs of [0, ...repeatsMs]) {
      if (waitMs > 0) await options.clock.sleep(waitMs, options.signal)
      if (options.signal.aborted) return false
      if (await run(command, `${JSON.stringify(body)}\n`, { ...options.env, ...own }, options)) return true
    }
    return false
  }
}

/** A notification of the desktop by the program that this system has; undefined when there is none. */
export function desktopChannel(platform: NodeJS.Platform, options: ChannelOptions): Channel | undefined {
  const title = 'hubu-unified-mcp'
  const has = (program: string) => isOnPath(program, options.env.PATH ?? '', platform)
  const show =
    (commandOf: (text: string) => string[], env: (text: string) => Record<string, string> = () => ({})): Channel =>
    ({ text }) =>
      run(commandOf(text), '', { ...options.env, ...env(text) }, options)
  if (platform === 'darwin' && has('osascript')) {
    const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run'
    return show((text) => ['osascript', '-e', script, title, text])
  }
  if (platform === 'win32' && has('powershell.exe')) {
    const encoded = Buffer.from(balloon, 'utf16le').toString('base64')
    return show(
      () => ['powershell.exe', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded],
      (text) => ({ HUBU_NOTICE_TITLE: title, HUBU_NOTICE_TEXT: text }),
    )
  }
  if (!has('notify-send')) return undefined
  return show((text) => ['notify-send', '-a', title, '--', title, escapeMarkup(text)])
}

const balloon =
  'Add-Type -AssemblyName System.Windows.Forms; $n = New-Object System.Windows.Forms.NotifyIcon; ' +
  '$n.Icon = [System.Drawing.SystemIcons]::Information; $n.Visible = $true; ' +
  '$n.ShowBalloonTip(10000, $env:HUBU_NOTICE_TITLE, $env:HUBU_NOTICE_TEXT, "Info"); Start-Sleep 10; $n.Dispose()'

const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function isOnPath(program: string, folders: string, platform: NodeJS.Platform): boolean {
  return folders.split(platform === 'win32' ? ';' : ':').some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}

/** Whether it ended with 0 in time. It is a process group of its own, which ends whole. */
function run(
  [program = '', ...args]: readonly string[],
  input: string,
  env: Record<string, string>,
  { clock, signal }: ChannelOptions,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'], detached: true, shell: false })
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It is gone already.
      }
    }
    const cancel = clock.after(longestRunMs, kill)
    signal.addEventListener('abort', kill, { once: true })
    const end = (isWell: boolean) => {
      cancel()
      signal.removeEventListener('abort', kill)
      resolve(isWell)
    }
    child.once('error', () => end(false)).once('exit', (code) => end(code === 0))
    child.stdin.on('error', () => undefined).end(input)
  })
}
