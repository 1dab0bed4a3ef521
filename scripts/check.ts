// Types, lint, format and generated files, side by side: what `npm run check` answers for. Every step runs to its end, so
// that one run shows all there is to mend.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Step {
  name: string
  /** Arguments of node. */
  args: string[]
  /** What mends it, told when the step fails and its own output does not say. */
  remedy?: string
}

/** What a step writes for the next run lies with the packages: `npm ci` forgets it. Both caches compare contents. */
const cache = 'node_modules/.cache/check'

const steps: Step[] = [
  {
    name: 'types',
    args: ['node_modules/typescript/bin/tsc', '-p', '.', '--incremental', '--tsBuildInfoFile', `${cache}/types.json`],
  },
  {
    name: 'page',
    args: [
      ...['node_modules/typescript/bin/tsc', '-p', 'src/studio-page', '--incremental'],
      ...['--tsBuildInfoFile', `${cache}/page.json`],
    ],
  },
  { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '--config', 'scripts/eslint.config.js', '.'] },
  {
    name: 'format',
    args: [
      ...['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', `${cache}/format.json`, '.'],
    ],
    remedy: 'Run `npm run format`.',
  },
  { name: 'codegen', args: ['--import', 'tsx', 'scripts/codegen.ts', '--check'] },
]

async function main(): Promise<number> {
  const results = await Promise.all(steps.map(run))
  return results.every((passed) => passed) ? 0 : 1
}

/** Runs one step and prints how it went; true when it passed. */
async function run({ name, args, remedy }: Step): Promise<boolean> {
  const startedMs = performance.now()
  const { code, output } = await collect(args)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  const passed = code === 0
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds} s\n`)
  if (!passed) process.stdout.write(`${output.trimEnd()}\n${remedy === undefined ? '' : `${remedy}\n`}`)
  return passed
}

function collect(args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer) => void (output += chunk.toString())
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

process.exitCode = await main()
