import { InvalidArgumentError, type Command } from 'commander'
import { commandChannel, desktopChannel, parseCommand, type Channel, type Notice } from '../../approvals/channels.ts'
import type { HubuApprovals } from '../../approvals/hubu-approvals.ts'
import { eventId, noticeBody, noticeLine, testBody, type ApprovalEvent } from '../../approvals/notice.ts'
import { watchApprovals } from '../../approvals/watch.ts'
import { parseDuration } from '../../config/durations.ts'
import { childEnvironment } from '../../downstream/environment.ts'
import { cleanJson } from '../../terminal/foreign-text.ts'
import { realClock } from '../../timing/clock.ts'
import type { CliContext } from '../context.ts'
import { isSandbox, type SandboxFolderFlags } from '../sandbox-folder.ts'
import { withHubu } from './approvals-connection.ts'

interface WatchFlags extends SandboxFolderFlags {
  json?: boolean
  interval: number
  once?: boolean
  desktop?: boolean
  exec?: string[]
  test?: boolean
}

/** Of a request that is older a desktop is not told any more. */
const newestMs = 60_000

/** Gives `approvals watch` its flags: it waits for requests, prints a line for each event and tells the channels. */
export function addWatchCommand(command: Command, context: CliContext): void {
  command
    .option('--interval <duration>', 'how often Hubu is asked, 1s to 5m', toInterval, 5000)
    .option('--once', 'print what waits and exit: 0 something, 3 nothing, 1 failure')
    .option('--desktop', 'notify on the desktop, too')
    .option(
      '--exec <command>',
      'run a program for each event; a path, or a JSON list of program and arguments',
      toCommand,
    )
    .option('--test', 'send a test through --desktop and --exec, and exit')
    .addHelpText(
      'after',
      `
The program of --exec gets the event as JSON on stdin, and HUBU_APPROVAL_ID, HUBU_NOTICE_TYPE and HUBU_NOTICE_ID in its environment;
nothing in it was written by an agent. It has 30 seconds, and two more tries when it fails.

Examples:
  hubu-unified-mcp approvals watch --sandbox --desktop
  hubu-unified-mcp approvals watch --exec /usr/local/bin/page-me
  hubu-unified-mcp approvals watch --once --json`,
    )
    .action((flags: WatchFlags) => withHubu(flags, context, { decides: false }, (hubu) => watch(hubu, flags, context)))
}

function toInterval(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms < 1000 || ms > 300_000) throw new InvalidArgumentError('It is 1s to 5m.')
  return ms
}

function toCommand(text: string): string[] {
  const command = parseCommand(text)
  if (command === undefined)
    throw new InvalidArgumentError("It is a program's path, or a JSON list of program and arguments.")
  return command
}

async function watch(hubu: HubuApprovals, flags: WatchFlags, context: CliContext): Promise<number> {
  const { process, wire } = context
  const stop = new AbortController()
  const end = () => stop.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end)
  try {
    const channels = channelsOf(flags, context, stop.signal)
    if (flags.test) return await test(channels)
    const told: Promise<unknown>[] = []
    const tell = (event: ApprovalEvent) => {
      const body = noticeBody(event, isSandbox(flags))
      process.stdout.write(flags.json ? `${cleanJson(JSON.stringify(body))}\n` : `${noticeLine(event)}\n`)
      if (wire.stderr.isTTY) wire.stderr.write('\u0007')
      for (const { isFor, tell: tellChannel } of channels)
        if (isFor(event)) told.push(tellChannel(noticeOf(event, body)))
    }
    if (!flags.once) {
      const remark = (text: string) => void process.stderr.write(`hubu-unified-mcp: ${text}\n`)
      await watchApprovals({ hubu, clock: realClock, intervalMs: flags.interval, signal: stop.signal, tell, remark })
      return 0
    }
    const { spends } = await hubu.pending()
    for (const spend of spends.toReversed())
      tell({ type: 'approval.waiting', status: 'pending', atMs: realClock.nowMs(), spend })
    await Promise.all(told)
    return spends.length === 0 ? 3 : 0
  } finally {
    end()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end)
  }
}

interface OpenChannel {
  isFor(event: ApprovalEvent): boolean
  tell: Channel
}

function channelsOf(flags: WatchFlags, { process, place }: CliContext, signal: AbortSignal): OpenChannel[] {
  const shown = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
  const session = shown.flatMap((name) => (place.env[name] === undefined ? [] : [[name, place.env[name]]]))
  const env = childEnvironment(place, Object.fromEntries(session) as Record<string, string>)
  const options = { env, clock: realClock, signal }
  const channels: OpenChannel[] = []
  if (flags.exec !== undefined) channels.push({ isFor: () => true, tell: commandChannel(flags.exec, options) })
  if (flags.desktop) {
    const tell = desktopChannel(place.platform, options)
    if (tell === undefined)
      process.stderr.write(
        'hubu-unified-mcp: No program that notifies on the desktop was found (on Linux: notify-send).\n',
      )
    else channels.push({ isFor: isNew, tell })
  }
  return channels
}

function isNew({ status, atMs, spend }: ApprovalEvent): boolean {
  return status !== 'pending' || !(atMs - Date.parse(spend.created_at) > newestMs)
}

function noticeOf({ type, spend }: ApprovalEvent, body: object): Notice {
  const { text } = body as { text: string }
  return { type, id: eventId(type, spend.workflow_id), approvalId: spend.workflow_id, text, body }
}

async function test(channels: readonly OpenChannel[]): Promise<number> {
  const body = testBody(realClock.nowMs())
  const notice = { type: 'test', id: eventId('test', ''), text: 'A test of approvals watch.', body }
  const went = await Promise.all(channels.map(({ tell }) => tell(notice)))
  return went.every((isWell) => isWell) ? 0 : 1
}
