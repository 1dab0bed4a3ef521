import path from 'node:path'
import type { Agent } from './agent.ts'
import type { Home } from './home.ts'

/** Our built program, and how it is run in a home. */
export interface Program {
  bin: string
  /** The recorder's program. */
  recorder: string
}

/** What `init` wrote. */
export interface Wired {
  /** The client's file with our entry, below the home. */
  file: string
  notes: string[]
}

/** Runs one of our commands in the home. */
export const ours = (home: Home, { bin }: Program, ...args: string[]) => home.run(process.execPath, [bin, ...args])

/** Sets the client up as its user would, with flags that name the backend. Throws with our own words when that does not work. */
export async function init(
  home: Home,
  program: Program,
  agent: Agent,
  backend: readonly string[] = ['--sandbox'],
): Promise<Wired> {
  const flags = [...backend, ...(agent.identity === 'guarded' ? ['--guarded-identity'] : []), '--write', '--json']
  const { code, stdout, stderr } = await ours(home, program, 'init', agent.name, ...flags)
  if (code !== 0) throw new Error(`init ended with ${code}: ${stderr.trim()}`)
  const plan = JSON.parse(stdout) as { path: string; notes: string[] }
  return { file: path.relative(home.path, plan.path), notes: plan.notes }
}

/** Takes it back. */
export async function undo(home: Home, program: Program, agent: Agent): Promise<void> {
  const { code, stderr } = await ours(home, program, 'init', agent.name, '--undo', '--write')
  if (code !== 0) throw new Error(`init --undo ended with ${code}: ${stderr.trim()}`)
}

/** The recorder's file below the home. */
export const recordFile = 'record.jsonl'

/** Puts the recorder between the client and the program that our entry starts. */
export function insertRecorder(home: Home, { bin, recorder }: Program, file: string): void {
  const entry = home.read(file)
  const quoted = (list: readonly string[]) => list.map((word) => JSON.stringify(word)).join(', ')
  // YAML gives each word a line of its own.
  const lines = (list: readonly string[]) => list.map((word) => `- ${word}`).join('\n      ')
  const words = entry.includes(quoted([bin])) ? quoted : lines
  if (!entry.includes(words([bin]))) throw new Error(`the entry in ${file} does not start ${bin}`)
  home.write(file, entry.replace(words([bin]), words([recorder, home.file(recordFile), bin])))
}
