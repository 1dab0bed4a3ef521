// What a person should know about a plan beyond the plan itself.
import { type Look } from '../clients/client.ts'
import { type ServerEntry } from '../entry/server-entry.ts'
import { namesVersion } from '../entry/stable-node.ts'
import { type InitRequest } from './request.ts'
import { noteRivals } from './rivals.ts'

/** Notes on spending, other entries, committed files, clients that cut results, catalogs read once, and steps of the client. */
export function noteProblems(request: InitRequest, server: ServerEntry, file: string, look: Look): string[] {
  const { client, scope, environment, program, responseBudgetBytes } = request
  const notes: string[] = [noteSpending(request), ...noteRivals({ client, scope, file }, environment, program, look)]
  const values = [server.command, ...server.args, ...Object.values(server.env)]
  if (scope === 'project' && values.some((value) => value.startsWith(environment.home))) {
    notes.push(
      `${file} is usually committed, and the entry names files in your home folder; others cannot use it as it is.`,
    )
  }
  if (server.command === program.nodePath && namesVersion(program.nodePath)) {
    notes.push(`The entry names Node by its version (${program.nodePath}): run init again after an upgrade of Node.`)
  }
  const limit = client.outputLimitChars
  if (limit !== undefined && responseBudgetBytes !== undefined && responseBudgetBytes > limit) {
    notes.push(
      `response_budget is ${responseBudgetBytes} bytes, but ${client.title} cuts results at about ${limit} characters.`,
    )
  }
  if (client.freezesCatalog === true) {
    notes.push(`${client.title} reads the list of tools once: when a backend comes up later, start it again.`)
  }
  const step = client.ownStep?.(scope)
  return step === undefined ? notes : [...notes, step]
}

/** Whether this client can spend with that entry: only an id of its own tells a repeated call from a second purchase. */
export function canSpend({ client }: Pick<InitRequest, 'client'>): boolean {
  return client.sendsCallId === true
}

/** Whether the client can spend, and why. */
function noteSpending(request: InitRequest): string {
  const { client, guardedIdentity } = request
  if (canSpend(request)) return `${client.title} sends an id with each call, so it can spend.`
  const none = `${client.title} sends no id with a call, so it cannot spend: its spends answer identity_missing.`
  return guardedIdentity ? `${none} --guarded-identity is written, and not in force in this release.` : none
}
