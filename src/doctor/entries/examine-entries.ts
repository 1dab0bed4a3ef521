// Each client's entry: whether it is alive, what it shows, and what stands in its way.
import type { FoundEntry } from '../../client-configs/entry/find-entries.ts'
import { startsSandbox } from '../../client-configs/entry/server-entry.ts'
import type { DeadPath } from '../../client-configs/entry/dead-paths.ts'
import { failure, ok, warning, type Finding } from '../finding.ts'
import type { ClientEntries } from './client-entries.ts'
import type { StartedEntry } from './start-entry.ts'

/** So many are started at a time. */
const atOnce = 2

/** Findings on all entries, in their order. Sandboxes are started one after another, because they share a folder. */
export async function examineEntries(look: ClientEntries, stamp: Stamp): Promise<Finding[]> {
  const { entries, unreadable, show, onProgress } = look
  let done = 0
  const sandboxes = new Turns(1)
  const others = new Turns(atOnce - 1)
  const examined = entries.map(async (entry) => {
    const turns = startsSandbox(entry.server) ? sandboxes : others
    const findings = await turns.take(() => examineEntry(entry, look, stamp))
    onProgress(++done, entries.length)
    return findings
  })
  onProgress(0, entries.length)
  const files = unreadable.map(({ client, file, reason }) =>
    failure(
      `client ${client.name}`,
      reason.replaceAll(file, show(file)),
      'Mend that file; the client cannot read it either.',
    ),
  )
  const none = entries.length === 0 && unreadable.length === 0 ? look.absent() : []
  return [...(await Promise.all(examined)).flat(), ...files, ...none.map(checkAbsent)]
}

type Stamp = { productVersion: string; sourceCommit: string }

async function examineEntry(entry: FoundEntry, look: ClientEntries, stamp: Stamp): Promise<Finding[]> {
  const { client, scope, name, server, isOurs, isTrusted } = entry
  const check = `client ${client.name}${scope === 'user' ? '' : ` (${scope})`}`
  const where = `${look.show(entry.file)}`
  if (!isOurs)
    return [
      warning(
        check,
        `${where} has an entry ${name} that starts something else`,
        `Rename that entry, or let init ${client.name} --force --write take it over.`,
      ),
    ]
  if (!isTrusted)
    return [
      warning(
        check,
        `${where} comes with a project and has an entry ${name} that init did not write, or that was changed since; it is not started`,
        `Look at it, and run hubu-unified-mcp init ${client.name} --scope ${scope} --write to make it yours.`,
      ),
    ]
  const rivals = look
    .rivals(entry)
    .map((sentence) => warning(check, sentence, 'Keep one of them: remove the other in its file, or with init --undo.'))
  if (server.command === undefined)
    return [ok(check, `the entry ${name} is reached at a URL and is not started here`), ...rivals]
  const dead = look.deadPaths(entry)
  if (dead.length > 0) return [...dead.map((each) => checkDead(check, entry, each, look)), ...rivals]
  const copy = checkCopy(check, entry, await look.stampOf(entry), stamp)
  return [checkStart(check, entry, await look.start(entry)), ...copy, ...rivals]
}

function checkAbsent(name: string): Finding {
  return warning(
    `client ${name}`,
    'has no entry of ours',
    `Run hubu-unified-mcp init ${name} --sandbox --write to try it, or init ${name} --help for a real Hubu.`,
  )
}

function checkDead(
  check: string,
  { client, isJournalled }: FoundEntry,
  dead: DeadPath,
  { show }: ClientEntries,
): Finding {
  const again = `hubu-unified-mcp init ${client.name}`
  const isMendable = isJournalled && (dead.what === 'command' || dead.what === 'program')
  const what = dead.isOldNode ? 'a Node.js of one version, which is gone' : `${dead.what}, which is missing`
  return failure(
    check,
    `its entry starts nothing: ${show(dead.path)} is the ${what}`.replace('is the a Node', 'is a Node'),
    isMendable
      ? `Run hubu-unified-mcp doctor --fix, or ${again} --write.`
      : `Put it there, or run ${again}${isJournalled ? '' : ' --force'} --write.`,
  )
}

function checkStart(check: string, entry: FoundEntry, started: StartedEntry): Finding {
  const { client } = entry
  switch (started.kind) {
    case 'failed': {
      const said = started.words === '' ? '' : `; it says: ${started.words}`
      const what = {
        not_started: 'its entry cannot be started',
        ended: 'its entry ends at once',
        silent: 'its entry starts and does not answer',
      }[started.reason]
      return failure(check, `${what}${said}`, `Mend what it says, or run hubu-unified-mcp init ${client.name} again.`)
    }
    case 'stranger':
      return warning(
        check,
        `its entry starts another server with ${started.tools} tools`,
        `Rename that entry, or let init ${client.name} --force --write take it over.`,
      )
    case 'started':
      return checkTools(check, entry, started)
  }
}

function checkTools(check: string, entry: FoundEntry, started: StartedEntry & { kind: 'started' }): Finding {
  const { client, isJournalled } = entry
  const { tools, backends, tookMs } = started
  const money = startsSandbox(entry.server)
    ? 'sandbox, fictional money'
    : `Hubu ${backends.hubu}, Gongbu ${backends.gongbu}`
  const made = isJournalled ? '' : ' (not made by init)'
  const told = `starts in ${(tookMs / 1000).toFixed(1)} s and shows ${tools.length} tools; ${money}${made}`
  if (backends.hubu === 'unconfigured' && backends.gongbu === 'unconfigured')
    return warning(
      check,
      `${told}: nothing can be bought through it`,
      `Give it a backend: hubu-unified-mcp init ${client.name} --hubu URL --hubu-token-file FILE --write, or --sandbox.`,
    )
  if (backends.hubu !== 'available')
    return warning(
      check,
      told,
      'Look at what is said of hubu above; the client shows its tools when it is started again.',
    )
  return ok(check, told)
}

/** Another copy than the one that runs now may be of another release, or of none. */
function checkCopy(check: string, entry: FoundEntry, copy: Stamp | undefined, ours: Stamp): Finding[] {
  if (copy === undefined) return []
  const told = `its entry starts another copy of this program, ${copy.productVersion} of commit ${copy.sourceCommit}`
  const remedy = `Run hubu-unified-mcp init ${entry.client.name} --write to let it start this copy.`
  if (!/^[0-9a-f]{40}$/.test(copy.sourceCommit) && !startsSandbox(entry.server))
    return [failure(check, `${told}: an unstamped build, compatible with no real backend`, remedy)]
  const isSame = copy.productVersion === ours.productVersion && copy.sourceCommit === ours.sourceCommit
  return isSame ? [] : [warning(check, told, remedy)]
}

/** Lets so many works run at a time, in the order in which they came. */
class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(free: number) {
    this.#free = free
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#free--
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
