// The built bin in a terminal, which python3 plays.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** Runs a command as the child of a terminal of 100 columns; types Ctrl-C once the text given was shown. */
const player = `
import fcntl, os, pty, struct, sys, termios
until, command = sys.argv[1], sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 100, 0, 0))
    os.execvp(command[0], command)
said = b''
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:
        break
    if not part:
        break
    said += part
    if until and until.encode() in said:
        os.write(fd, b'\\x03')
        until = ''
os.waitpid(pid, 0)
sys.stdout.buffer.write(said)
`

function inTerminal(home: string, args: string[], { env = {}, until = '' } = {}): Promise<string> {
  const options = { cwd: home, env: { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm', ...env } }
  return new Promise((resolve, reject) => {
    execFile('python3', ['-c', player, until, process.execPath, built.bin, ...args], options, (error, out) =>
      error === null ? resolve(out.replaceAll('\r\n', '\n')) : reject(error),
    )
  })
}

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0

describe.skipIf(!hasPython)('in a terminal', () => {
  it.each([[[]], [['sandbox', '--ephemeral']]])(
    'the server (%j) says what it is and waits, instead of hanging blank',
    async (args) => {
      using folder = tempFolder()
      const said = await inTerminal(folder.path, args, { until: '--help' })
      expect(said).toContain('is an MCP server and waits for an MCP client on stdin, which is this terminal')
    },
  )

  it('has colour, headings and words that are explained; none of the colour with NO_COLOR', async () => {
    using folder = tempFolder()
    const list = await inTerminal(folder.path, ['init'])
    expect(list).toContain('\u001b[1mCLIENT')
    expect(list).toMatch(
      /pinned {2,}\S*init writes for each protected tool|pinned.*init writes for each protected tool/,
    )
    const plain = await inTerminal(folder.path, ['init'], { env: { NO_COLOR: '1' } })
    expect(plain).not.toContain('\u001b')
    expect(plain).toMatch(/^CLIENT +STATE +ASKS +FILE$/m)
    for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })
})

it('a demo whose file cannot be written fails before its first step', async () => {
  using folder = tempFolder()
  const started = spawnSync(process.execPath, [built.bin, 'demo', '-o', folder.file('no/x.png')], { encoding: 'utf8' })
  expect([started.status, started.stdout]).toEqual([1, ''])
  expect(started.stderr).toContain('cannot be written (ENOENT); name another file with -o')
  expect(existsSync(folder.file('no'))).toBe(false)
})

it('what a serving process loads holds no library for colours', () => {
  const folder = path.dirname(built.bin)
  const served = readdirSync(folder).filter((name) => name.endsWith('.cjs') || name === 'main.js')
  expect(served).toContain('serve.cjs')
  // A word of that library that nothing else of ours has.
  const holds = (name: string) => readFileSync(path.join(folder, name), 'latin1').includes('createColors')
  expect(served.filter(holds)).toEqual([])
  const commands = ['program.mjs', ...readdirSync(path.join(folder, 'chunks')).map((name) => path.join('chunks', name))]
  expect(commands.some(holds)).toBe(true)
})
