import { InvalidArgumentError, type Command } from 'commander'
import { ConfigError } from '../../config/config-error.ts'
import { parseDuration } from '../../config/durations.ts'
import { childEnvironment } from '../../downstream/environment.ts'
import type { Studio } from '../../studio/start.ts'
import { realClock } from '../../timing/clock.ts'
import type { CliContext } from '../context.ts'
import { studioSources, type StudioFlags } from '../studio-sources.ts'

const portPattern = /^(0|[1-9]\d{0,4})$/
const originPattern = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):[1-9]\d{0,4}$/
const longestIdleMs = 30 * 60_000

/** Adds `studio`: a page on this machine for the people behind an agent's spending. */
export function addStudioCommand(program: Command, context: CliContext): void {
  program
    .command('studio')
    .description('open a page on this machine: what waits for you, what became of it, the money')
    .option('--sandbox', 'look at your sandbox, also while it does not run')
    .option('--data-folder <path>', 'the data folder of that sandbox')
    .option('--config <path>', 'the configuration file')
    .option('--state-path <file>', 'the registry')
    .option('--port <n>', 'a fixed port; 0 is any free one', toPort, 0)
    .option('--origin <url>', "the browser's address of a forwarded port, such as http://localhost:8931", toOrigin)
    .option('--no-open', 'open no browser')
    .option('--read-only', 'show and decide nothing')
    .option('--idle <duration>', 'lock after so long without a person, 1s to 30m', toIdle, longestIdleMs)
    .option('--json', 'print the link as JSON')
    .addHelpText(
      'after',
      `
The page listens on 127.0.0.1 only and opens with a link that works once. Deciding needs the approval capability, as \`approvals\` does.

Examples:
  hubu-unified-mcp studio --sandbox
  hubu-unified-mcp studio --read-only --no-open --port 8931`,
    )
    .action(async (flags: StudioFlags) => context.setExitCode(await studio(flags, context)))
}

function toPort(text: string): number {
  if (portPattern.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('It is a port, 0 to 65535.')
}

function toOrigin(text: string): string {
  if (originPattern.test(text) && Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535) return text
  throw new InvalidArgumentError('It is http://127.0.0.1:PORT, http://localhost:PORT or http://[::1]:PORT.')
}

function toIdle(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined && ms >= 1000 && ms <= longestIdleMs) return ms
  throw new InvalidArgumentError('It is 1s to 30m.')
}

async function studio(flags: StudioFlags, context: CliContext): Promise<number> {
  const { process, wire, place } = context
  const say = (text: string) => void process.stderr.write(`hubu-unified-mcp: ${text}\n`)
  const { startStudio, PageMissing } = await import('../../studio/start.ts')
  let removeFile = () => {}
  let running: Studio
  try {
    const sources = studioSources(flags, context)
    // Whoever looks at this process sees no token, and no child gets one.
    for (const name of ['HUBU_APPROVAL_TOKEN', 'HUBU_APPROVAL_TOKEN_FILE']) delete wire.env[name]
    running = await startStudio({
      ...sources,
      port: flags.port,
      origin: flags.origin,
      idleMs: flags.idle,
      clock: realClock,
      remark: say,
      onUnlocked: () => removeFile(),
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') say(`Port ${flags.port} is in use.`)
    else if (error instanceof PageMissing) say('The page was not built. Run `npm run build`.')
    else if (error instanceof ConfigError) say(error.message)
    else throw error
    return 1
  }
  const isAsking = wire.stdin.isTTY === true
  const tell = (): string => {
    const { link, expiresAt } = running.newLink()
    const { origin } = running
    if (flags.json)
      process.stdout.write(`${JSON.stringify({ origin, link, expires_at: expiresAt, pid: process.pid })}\n`)
    else process.stdout.write(`Studio: ${link}\n`)
    return link
  }
  const link = tell()
  const more = isAsking ? 'Press Enter for another one, Ctrl-C to stop.' : 'Ctrl-C stops.'
  if (!flags.json) process.stdout.write(`The link works once, for ten minutes. ${more}\n`)
  if (flags.open && wire.stdout.isTTY === true) {
    const shown = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
    const session = shown.flatMap((name) => (place.env[name] === undefined ? [] : [[name, place.env[name]]]))
    const { openBrowser } = await import('../../studio/open-browser.ts')
    removeFile = openBrowser(
      link,
      place.platform,
      childEnvironment(place, Object.fromEntries(session) as Record<string, string>),
    )
    realClock.after(60_000, () => removeFile())
  }
  if (isAsking) wire.stdin.on('data', () => void tell())
  await new Promise<void>((resolve) => {
    let hasAsked = false
    const end = () => {
      if (hasAsked) wire.exit(0)
      hasAsked = true
      resolve()
    }
    for (const name of ['SIGINT', 'SIGTERM'] as const) wire.on(name, end)
  })
  removeFile()
  wire.stdin.pause()
  await running.stop()
  return 0
}
