// Whether the processes that a stack's launcher started are still the ones it started. Only ever a warning.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { memberOf, toLoose } from '../../documents/tree.ts'
import { type Ownership, readStackFile } from './stack-file.ts'

/** What the system says a process is: `lstart` and `command` of `ps`, white space collapsed; undefined when it is gone. */
export type IdentifyProcess = (pid: number) => string | undefined

/** Warnings about a stack that does not run, or whose record is stale; none when everything it names is alive. */
export function launcherWarnings(profile: string, ownership: Ownership, identify: IdentifyProcess): string[] {
  const file = path.join(profile, 'runtime', 'launcher-state.json')
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    return [`the stack ${profile} is not running: its launcher owns no process`]
  }
  const { root } = readStackFile(file, ownership)
  const processes = memberOf(root, 'processes')?.value
  if (processes?.kind !== 'object') return [`${file} names no processes`]
  return processes.members.flatMap(({ key, value }) => {
    const { pid, process_identity: recorded } = (toLoose(value) ?? {}) as Record<string, unknown>
    const current = typeof pid === 'number' && pid > 0 ? identify(pid) : undefined
    if (current === undefined) return [`${key} of the stack is not running any more`]
    const isSame = typeof recorded === 'string' && collapse(recorded) === collapse(current)
    return isSame ? [] : [`${key} of the stack is not running any more: its process id now belongs to another program`]
  })
}

function collapse(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
