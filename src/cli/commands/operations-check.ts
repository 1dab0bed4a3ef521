// `--check`: the backends are asked what became of a purchase. Only reads are sent.
import { createGongbuClient } from '../../backends/gongbu/client.ts'
import { createHttpClient, type HttpClientOptions } from '../../backends/http-client.ts'
import { readHubuReply } from '../../backends/hubu/response.ts'
import { loadConfig } from '../../config/load-config.ts'
import { member } from '../../json/read.ts'
import { judgeCheck, ofExecution, ofWorkflow } from '../../operations/find/check.ts'
import type { CliContext } from '../context.ts'
import type { MoneyAsker } from './operations-output.ts'
import { backendOf, sandboxConnectionOf, type SandboxFolderFlags } from '../sandbox-folder.ts'

const maxBytes = 16 * 1024 * 1024
/** A cursor is never followed for ever. */
const mostPages = 10

/** The backends of the environment, or of the running sandbox. Throws ConfigError. */
export function openBackends(flags: SandboxFolderFlags, context: CliContext): MoneyAsker {
  const { hubu, gongbu } = optionsOf(flags, context)
  const http = hubu && createHttpClient(hubu)
  const executions = gongbu && createGongbuClient(gongbu)

  const read = async (path: string): Promise<unknown> => {
    const reply = http && readHubuReply('GET', await http.send({ method: 'GET', path }, { maxBytes }))
    return reply?.kind === 'success' ? reply.value : undefined
  }
  const transactions = once(async () => {
    const list = member(await read('/ledger'), 'transactions')
    return Array.isArray(list) ? new Set(list.map((one) => member(one, 'id'))) : undefined
  })
  const statusByDecision = once(async () => {
    const found = new Map<unknown, unknown>()
    let cursor = ''
    for (let page = 0; page < mostPages; page++) {
      const answer = await read(
        `/spend/workflows?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      const list = member(answer, 'workflows')
      for (const one of Array.isArray(list) ? list : []) found.set(member(one, 'decision_id'), member(one, 'status'))
      const next = member(answer, 'next_cursor')
      if (typeof next !== 'string') break
      cursor = next
    }
    return found
  })

  return {
    async ask(ours, { execution, decision, ledger }) {
      if (execution !== null) {
        const reply = await executions?.readExecution(execution)
        const theirs = reply?.kind === 'execution' ? ofExecution(reply.execution.status) : undefined
        return judgeCheck(ours, theirs, theirs === undefined ? 'Gongbu gave no clear answer' : 'Gongbu')
      }
      if (ledger !== null) {
        const ids = await transactions()
        if (ids === undefined) return judgeCheck(ours, undefined, 'Hubu gave no ledger')
        return judgeCheck(ours, ids.has(ledger) ? 'paid' : 'not_paid', "Hubu's ledger")
      }
      const theirs = decision === null ? undefined : ofWorkflow((await statusByDecision()).get(decision))
      return judgeCheck(ours, theirs, theirs === undefined ? 'no backend shows this purchase' : 'Hubu')
    },
    close: async () => {
      await Promise.all([http?.close(), executions?.close()])
    },
  }
}

/** A command asks about many operations, and reads each list for all of them. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => (reading ??= read())
}

function optionsOf(
  flags: SandboxFolderFlags,
  { process, place }: CliContext,
): { hubu?: HttpClientOptions | undefined; gongbu?: HttpClientOptions | undefined } {
  const found = sandboxConnectionOf(flags, place)
  if (found === undefined) return loadConfig(process.env)
  return { hubu: backendOf(found.hubu), gongbu: backendOf(found.gongbu) }
}
